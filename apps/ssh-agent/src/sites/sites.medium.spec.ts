import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scanned } from '@vigie/contracts/site-looks';
import { Fleet } from '@vigie/testing/fleet/fleet';
import type { SiteKind } from '@vigie/testing/fleet/kinds';
import { onFleet } from '@vigie/testing/fleet/machine';
import { addServer, aServer } from '@vigie/testing/hosts';
import { TestProduct } from '@vigie/testing/product';
import { inParts } from '../site-looks/parts';

const describeFleet = onFleet(describe);

describeFleet('the sites of a server', () => {
  let fleet: Fleet;
  let product: TestProduct;
  let token: string;
  let server: string;
  const sites = new Map<SiteKind, string>();

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain', 'other-owner'] });
    const env = { VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url };
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
      const { id } = body;
      if (typeof id !== 'string') throw new Error(text);
      sites.set(kind, id);
    }
  });
  afterAll(async () => {
    await product?.stop();
    await fleet?.close();
  });

  const ask = (method: string, path: string, body?: unknown) =>
    product.request(method, `/api${path}`, { token, ...(body !== undefined && { body }) });

  it('are tested step by step, whoever owns them', async () => {
    const { status, body, text } = await ask('POST', `/sites/${sites.get('other-owner')}/test`);
    expect([status, text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    expect(body).toMatchObject({ version: fleet.versions.installed, facts: { problem: null, owner: 'www-data' } });
    expect((body['steps'] as { step: string; state: string }[]).map(({ state }) => state)).toEqual(Array(8).fill('ok'));
  });

  it('are asked for updates, and found by their address', async () => {
    const { status, body } = await ask('GET', `/sites/${sites.get('plain')}/inventory?fresh=1`);
    expect(status).toBe(200);
    const plugins = body['plugins'] as { slug: string; new_version: string | null }[];
    expect(plugins.find(({ slug }) => slug === 'vitrine')?.new_version).toBe('1.3.0');
    expect(body).toMatchObject({ core: { new_version: fleet.versions.offered }, depth: 'inspect' });
    const checks = body['checks'] as Record<string, { checked_at: string | null; error: string | null }>;
    expect(checks['plugins']).toEqual({ checked_at: expect.any(String), error: null });
    const { body: site } = await ask('GET', `/sites/${sites.get('plain')}`);
    expect(site).toMatchObject({ connection: { ssh: { wp_path: join(fleet.host.home, 'plain/current') } } });
    // A check that fails later keeps what is known, and when.
    fleet.wordpressOrg.failures.push(...Array<'error'>(6).fill('error'));
    const failed = (await ask('GET', `/sites/${sites.get('plain')}/inventory?fresh=1`)).body;
    fleet.wordpressOrg.failures.splice(0);
    expect(failed['checks']).toMatchObject({
      plugins: { checked_at: checks['plugins']?.checked_at, error: expect.stringContaining('500') },
    });
    expect(failed['plugins']).toEqual(body['plugins']);
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
