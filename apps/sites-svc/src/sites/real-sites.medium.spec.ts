import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Incident } from '@vigie/contracts/incidents';
import { incidentTitle } from '@vigie/contracts/incident-kinds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForOutcome } from '@vigie/testing/answers';
import { addFleet } from '@vigie/testing/change-stage';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet, fleetUnavailableReason } from '@vigie/testing/fleet/machine';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

const kinds = ['plain', 'multisite'] as const;

let product: TestProduct;
let fleet: Fleet;
let root: string;
let ids: ReadonlyMap<string, string>;

const withFleet = onFleet(describe);
if (!fleetUnavailableReason()) {
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds });
    product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], {
      VIGIE_SCAN_SECONDS: '3',
      VIGIE_VISIT_SECONDS: '3',
      VIGIE_INSPECT_SECONDS: '5',
      VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url,
    });
    root = await product.login();
    ids = (await addFleet(fleet, product, root)).ids;
  });
  afterAll(async () => {
    await product?.stop();
    await fleet?.close();
  });
}

type Fields = Record<string, unknown>;
const ask = (path: string) => product.request('GET', `/api${path}`, { token: root });
const inspect = async (id: string) => {
  const answer = await ask(`/sites/${id}/inventory?fresh=1`);
  expect(await waitForOutcome(product, root, answer)).toMatchObject({ status: 200 });
};
const read = async (id: string) => (await ask(`/sites/${id}`)).body;

withFleet('the sites of a real server', () => {
  const idOf = (kind: (typeof kinds)[number]) => ids.get(fleet.site(kind).path) ?? '';

  it('are scanned and visited without a request, and agree with WordPress', async () => {
    const id = idOf('plain');
    await until(async () => (await read(id))['read_at'] !== null && (await read(id))['http'] !== null);
    const site = await read(id);
    const active = await fleet.runPhp(fleet.site('plain'), "return count(get_option('active_plugins'));");
    const plugins = (site['plugins'] as Fields[]).filter(
      ({ kind, status }) => kind === 'regular' && status === 'active',
    );
    expect([site['wpCore'], plugins.length]).toEqual([
      expect.objectContaining({ version: fleet.versions.installed }),
      Number(active),
    ]);
    expect(site['http']).toMatchObject({ code: 200 });
  });

  it('list their updates after an inspection that nobody requested', async () => {
    const id = idOf('plain');
    await until(
      async () =>
        Object(Object((await read(id))['facts'])).depth === 'inspect' || Object((await read(id))['updates']).core === 1,
    );
    expect(await read(id)).toMatchObject({ wpCore: { hasUpdate: true, new_version: fleet.versions.offered } });
    const { rows } = await product.database.query("select 1 from sites.jobs where kind = 'sites.inspect'");
    expect(rows).toEqual([]);
  });

  it('keep the inspection’s state when a scan cannot see the whole site', async () => {
    const id = idOf('multisite');
    await inspect(id);
    expect((await ask(`/sites/${id}/inventory`)).body).toMatchObject({ depth: 'inspect' });
    const at = String((await read(id))['read_at']);
    // This is a later scan: an inspection leaves `needs_boot` empty.
    const state = async () => (await read(id))['facts'] as { needs_boot: string[] };
    await until(async () => String((await read(id))['read_at']) > at && (await state()).needs_boot.length > 0);
    expect(await state()).toMatchObject({ depth: 'inspect', needs_boot: ['multisite'], is_multisite: true });
  });

  it('are found to be down, their server is asked about it, and they are found to be back', async () => {
    let code = 200;
    const visitors = createServer((_, response) => void response.writeHead(code).end('<html></html>'));
    await once(visitors.listen(0, '127.0.0.1'), 'listening');
    const { rows } = await product.database.query<{ id: string }>('select id from sites.servers');
    const connection = { method: 'ssh', ssh: { server_id: rows[0]?.id, wp_path: '/var/www/vitrine' } };
    const url = `http://127.0.0.1:${(visitors.address() as AddressInfo).port}/`;
    const site = { name: 'vitrine', url, connection };
    const { id } = (await product.request('POST', '/api/sites', { token: root, body: site })).body;
    const states = async () =>
      ((await ask(`/sites/${String(id)}/uptime?days=1`)).body['beats'] as Fields[]).map(({ state }) => state);
    const incident = async () => {
      const [found] = (await ask(`/incidents?site_id=${String(id)}`)).body['items'] as Fields[];
      return found && ((await ask(`/incidents/${String(found['id'])}`)).body as unknown as Incident);
    };
    await until(async () => (await states()).includes('up'));
    code = 503;
    await until(async () => (await incident())?.state === 'open');
    await until(async () => (await incident())?.verdict !== null);
    expect(await incident()).toMatchObject({
      cause: { kind: 'site', id, name: 'vitrine' },
      evidence: { code: 503 },
      verdict: 'fails_there',
      subjects: [{ opinion: { own: { code: 503, error: null }, other: null } }],
    });
    code = 200;
    await until(async () => (await incident())?.state === 'resolved');
    expect(await states()).toEqual(expect.arrayContaining(['up', 'down']));
    visitors.closeAllConnections();
    visitors.close();
  });

  it('are reported to have been unwatched, once, when their visits go on', async () => {
    const unwatched = async () => {
      const { items } = (await ask('/incidents?state=resolved')).body as unknown as { items: Incident[] };
      return items.filter(({ kind }) => kind === 'unwatched');
    };
    expect(await unwatched()).toEqual([]);
    const longAgo = "now() - interval '42 minutes'";
    // Nothing is missing where nothing was planned.
    await product.database.query(`update sites.network_state set visited_at = ${longAgo}, expected_at = null`);
    await until(async () => {
      const { rows } = await product.database.query<{ age: number }>(
        'select extract(epoch from now() - visited_at)::int as age from sites.network_state',
      );
      return (rows[0]?.age ?? 60) < 60;
    });
    expect(await unwatched()).toEqual([]);
    await product.database.query("update sites.sites set created_at = now() - interval '1 day'");
    await product.database.query(`update sites.network_state set visited_at = ${longAgo}, expected_at = ${longAgo}`);
    await until(async () => (await unwatched()).length > 0);
    const [gap] = await unwatched();
    expect(gap).toMatchObject({
      severity: 'critical',
      resolution: 'recovered',
      cause: { kind: 'vigie', id: null, name: 'Vigie' },
      sites: 0,
    });
    expect(incidentTitle(gap as Incident, new Date())).toBe('Vigie n’a pas veillé pendant 42\u00a0min');
    const sent = async () =>
      (await product.database.query('select kind from sites.deliveries where incident_id = $1', [gap?.id])).rows;
    await until(async () => (await sent()).length > 0);
    expect([await sent(), await unwatched()]).toEqual([[{ kind: 'resolved' }], [gap]]);
  });
});
