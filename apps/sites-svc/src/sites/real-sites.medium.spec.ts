import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settled } from '@vigie/testing/answers';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet, whyNoFleet } from '@vigie/testing/fleet/machine';
import { addServer } from '@vigie/testing/hosts';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

const kinds = ['plain', 'broken', 'multisite'] as const;

let product: TestProduct;
let fleet: Fleet;
let root: string;

const withFleet = onFleet(describe);
if (!whyNoFleet()) {
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds });
    product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], {
      VIGIE_SCAN_SECONDS: '3',
      VIGIE_VISIT_SECONDS: '3',
      VIGIE_INSPECT_SECONDS: '5',
      VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url,
    });
    root = await product.login();
  });
  afterAll(async () => {
    await product?.stop();
    await fleet?.close();
  });
}

type Fields = Record<string, unknown>;
const ask = (method: string, path: string, body?: unknown) =>
  product.request(method, `/api${path}`, { token: root, ...(body !== undefined && { body }) });
const inspect = async (id: string) => {
  const asked = await ask('GET', `/sites/${id}/inventory?fresh=1`);
  expect(await settled(product, root, asked)).toMatchObject({ status: 200 });
};
const read = async (id: string) => (await ask('GET', `/sites/${id}`)).body;

withFleet('the sites of a real server', () => {
  const ids = new Map<string, string>();
  const idOf = (kind: (typeof kinds)[number]) => ids.get(fleet.site(kind).path) ?? '';

  it('are discovered and imported', async () => {
    const { id: server } = await addServer(product, root, {
      name: 'parc',
      host: '127.0.0.1',
      port: fleet.host.port,
      user: 'deploy',
      auth: { privateKeyPem: fleet.host.privateKey },
    });
    const { status, body } = await settled(product, root, await ask('POST', `/servers/${server}/discover`));
    expect([status, body]).toEqual([200, { items: expect.any(Array), notes: expect.any(Array) }]);
    const found = (body['items'] as Fields[]).filter(({ path }) => fleet.sites.some((site) => site.path === path));
    expect(found).toHaveLength(kinds.length);
    const items = fleet.sites.map(({ path, kind, url }) => ({ path, name: kind, url }));
    const made = (await ask('POST', '/sites/import', { server_id: server, items })).body['items'] as Fields[];
    for (const { id, path } of made) ids.set(String(path), String(id));
    expect(ids.size).toBe(kinds.length);
    const again = { server_id: server, items, groups: [] };
    expect((await ask('POST', '/sites/import', again)).body).toMatchObject({
      items: [],
      skipped: { length: kinds.length },
    });
    const foreign = await ask('POST', '/sites/import', { ...again, groups: [randomUUID()] });
    expect([foreign.status, foreign.text]).toEqual([400, expect.stringContaining('Ce groupe n’existe pas')]);
  });

  it('are read and visited by themselves, and say what WordPress says', async () => {
    const id = idOf('plain');
    await until(async () => (await read(id))['read_at'] !== null && (await read(id))['http'] !== null);
    const site = await read(id);
    const active = await fleet.ask(fleet.site('plain'), "return count(get_option('active_plugins'));");
    const plugins = (site['plugins'] as Fields[]).filter(
      ({ kind, status }) => kind === 'regular' && status === 'active',
    );
    expect([site['wpCore'], plugins.length]).toEqual([
      expect.objectContaining({ version: fleet.versions.installed }),
      Number(active),
    ]);
    expect(site['http']).toMatchObject({ code: 200 });
  });

  it('tell what they lack once WordPress was asked, without anybody asking', async () => {
    const id = idOf('plain');
    await until(
      async () =>
        Object(Object((await read(id))['facts'])).depth === 'inspect' || Object((await read(id))['updates']).core === 1,
    );
    expect(await read(id)).toMatchObject({ wpCore: { hasUpdate: true, new_version: fleet.versions.offered } });
    const { rows } = await product.database.query("select 1 from sites.jobs where kind = 'sites.inspect'");
    expect(rows).toEqual([]);
  });

  it('name the culprit where one cannot start', async () => {
    const { fault } = fleet.site('broken');
    await inspect(idOf('broken'));
    expect(await read(idOf('broken'))).toMatchObject({
      status: 'error',
      problem: { kind: 'fatal', line: fault?.line },
    });
  });

  it('keep what WordPress itself said where files do not tell the whole', async () => {
    const id = idOf('multisite');
    await inspect(id);
    expect((await ask('GET', `/sites/${id}/inventory`)).body).toMatchObject({ depth: 'inspect' });
    const at = String((await read(id))['read_at']);
    await until(async () => String((await read(id))['read_at']) > at);
    expect(await read(id)).toMatchObject({
      facts: { depth: 'inspect', needs_boot: ['multisite'], is_multisite: true },
    });
  });

  it('are tested step by step', async () => {
    const { status, body } = await settled(product, root, await ask('POST', `/sites/${idOf('plain')}/test`));
    expect([status, body['version']]).toEqual([200, fleet.versions.installed]);
    expect((body['steps'] as Fields[]).every(({ state }) => state === 'ok' || state === 'warning')).toBe(true);
  });
});
