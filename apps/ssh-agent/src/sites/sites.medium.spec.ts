import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Scanned } from '@vigie/contracts/site-looks';
import { Fleet } from '@vigie/testing/fleet/fleet';
import type { SiteKind } from '@vigie/testing/fleet/kinds';
import { whyNoFleet } from '@vigie/testing/fleet/machine';
import { addServer, aServer } from '@vigie/testing/hosts';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';
import { inParts } from './parts';

const describeFleet = whyNoFleet() === undefined ? describe : describe.skip;

describeFleet('the sites of a server', () => {
  let fleet: Fleet;
  let product: TestProduct;
  let token: string;
  let server: string;
  const sites = new Map<SiteKind, string>();

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain', 'broken', 'other-owner'] });
    const env = {
      VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url,
      VIGIE_SCAN_SECONDS: '2',
      VIGIE_VISIT_SECONDS: '2',
    };
    product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], env);
    token = await product.login();
    const auth = { privateKeyPem: fleet.host.privateKey };
    server = (await addServer(product, token, aServer(fleet.host, { auth }))).id;
    // Its owner has to get there.
    for (const folder of [fleet.host.home, dirname(fleet.host.home)]) chmodSync(folder, 0o711);
    mkdirSync(join(fleet.host.home, 'plain'));
    symlinkSync(fleet.site('plain').path, join(fleet.host.home, 'plain/current'));
    for (const { kind, url, path } of fleet.sites) {
      // The path of one is left to be found.
      const ssh = { server_id: server, ...(kind !== 'plain' && { wp_path: path }) };
      const { body, text } = await ask('POST', '/sites', { name: kind, url, connection: { ssh } });
      if (!body['id']) throw new Error(text);
      sites.set(kind, String(body['id']));
    }
  });
  afterAll(async () => {
    await product?.stop();
    await fleet?.close();
  });

  const ask = (method: string, path: string, body?: unknown) =>
    product.request(method, `/api${path}`, { token, ...(body !== undefined && { body }) });
  const read = async (kind: SiteKind) => (await ask('GET', `/sites/${sites.get(kind)}`)).body;

  it('are visited and read by themselves, the broken one too', async () => {
    await until(async () => (await read('broken'))['read_at'] !== null && (await read('broken'))['http'] !== null);
    expect(await read('broken')).toMatchObject({
      ssh_error: null,
      http: { code: 500, error: null, method: 'GET' },
      wpCore: { version: fleet.versions.installed },
      facts: { depth: 'scan', owner: expect.any(String), php: { binary: expect.stringMatching(/^\//) } },
    });
    expect((await read('other-owner'))['http']).toMatchObject({ code: 200 });
  });

  it('are tested step by step, whoever owns them', async () => {
    const { status, body, text } = await ask('POST', `/sites/${sites.get('other-owner')}/test`);
    expect([status, text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    expect(body).toMatchObject({ version: fleet.versions.installed, facts: { problem: null, owner: 'www-data' } });
    expect((body['steps'] as { step: string; state: string }[]).map(({ state }) => state)).toEqual(Array(8).fill('ok'));
  });

  it('that cannot start are known all the same, with whoever is to blame', async () => {
    const { status, body } = await ask('POST', `/sites/${sites.get('broken')}/test`);
    expect(status).toBe(200);
    expect(body['steps']).toEqual(
      expect.arrayContaining([expect.objectContaining({ step: 'wordpress', state: 'failed' })]),
    );
    const { file, line } = fleet.site('broken').fault ?? {};
    expect(await read('broken')).toMatchObject({
      problem: { file, line, culprit: { slug: 'avarie' } },
      status: 'error',
    });
  });

  it('are asked for updates, and found by their address', async () => {
    const { status, body } = await ask('GET', `/sites/${sites.get('plain')}/inventory?fresh=1`);
    expect(status).toBe(200);
    const plugins = body['plugins'] as { slug: string; new_version: string | null }[];
    expect(plugins.find(({ slug }) => slug === 'vitrine')?.new_version).toBe('1.3.0');
    expect(body).toMatchObject({ core: { new_version: fleet.versions.offered }, depth: 'inspect' });
    const checks = body['checks'] as Record<string, { checked_at: string | null; error: string | null }>;
    expect(checks['plugins']).toEqual({ checked_at: expect.any(String), error: null });
    // A check that fails later keeps what is known, and when.
    fleet.wordpressOrg.failures.push(...Array<'error'>(6).fill('error'));
    const failed = (await ask('GET', `/sites/${sites.get('plain')}/inventory?fresh=1`)).body;
    fleet.wordpressOrg.failures.splice(0);
    expect(failed['checks']).toMatchObject({
      plugins: { checked_at: checks['plugins']?.checked_at, error: expect.stringContaining('500') },
    });
    expect(failed['plugins']).toEqual(body['plugins']);
  });

  it('are found on it', async () => {
    const { status, body } = await ask('POST', `/servers/${server}/discover`);
    expect(status).toBe(200);
    expect(body['items']).toContainEqual(
      expect.objectContaining({
        path: join(fleet.host.home, 'plain/current'),
        url: fleet.site('plain').url,
        version: fleet.versions.installed,
      }),
    );
  });
});

describe('a report', () => {
  it('goes in parts that a message holds', () => {
    const item = (size: number) =>
      ({ id: 'x', version: 1, facts: null, failure: { message: 'é'.repeat(size) } }) as Scanned;
    expect(inParts([])).toEqual([]);
    expect(inParts(Array<Scanned>(120).fill(item(1))).map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(inParts(Array<Scanned>(7).fill(item(110_000))).map(({ length }) => length)).toEqual([3, 3, 1]);
  });
});
