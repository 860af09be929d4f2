import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SiteState } from '@vigie/contracts/inventory';
import { reportScans, reportVisits } from '@vigie/contracts/site-checks';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { TestQueues } from '@vigie/testing/queues';
import { seedFleet } from '@vigie/testing/seed';
import { aSiteState } from '@vigie/testing/site-state';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let queues: TestQueues;
let agent: TestBus;
let root: string;
let servers: string[];

beforeAll(async () => {
  const env = {
    VIGIE_SCAN_SECONDS: '4',
    VIGIE_VISIT_SECONDS: '4',
    VIGIE_INSPECT_SECONDS: '1',
    VIGIE_METRICS_PORT: '0',
  };
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'sites-svc'], env);
  queues = new TestQueues(product);
  agent = await connectBus(product.keys['ssh-agent']);
  root = await product.login();
  const { rows } = await product.database.query<{ id: string }>('select id from auth.users');
  const sizes = { servers: 2, sites: 0, plugins: 0, groups: 0 };
  await seedFleet((sql, values) => product.database.query(sql, values), rows[0]?.id ?? '', sizes);
  servers = (await product.database.query<{ id: string }>('select id from sites.servers')).rows.map(({ id }) => id);
});
afterAll(async () => {
  queues?.stop();
  await agent?.close();
  await product?.stop();
});
beforeEach(async () => {
  // Deletes in the order in which running services lock the tables: a truncate could deadlock with them.
  for (const table of ['sweeps', 'sites']) await product.database.query(`delete from sites.${table}`);
  for (const name of ['site-scans', 'site-visits', 'site-inspects']) await queues.empty(name);
});

async function importOn(serverId: string | undefined, ...paths: string[]): Promise<string[]> {
  const items = paths.map((path) => ({ path, name: path, url: 'https://exemple.fr' }));
  const body = { server_id: serverId, items };
  const answer = await product.request('POST', '/api/sites/import', { token: root, body });
  return (answer.body['items'] as { id: string }[]).map(({ id }) => id);
}
const areIn = (waiting: readonly string[], ids: readonly string[]) => ids.every((id) => waiting.includes(id));
const sets = (batches: string[][]) => batches.map((batch) => batch.toSorted());

const measured = async (name: string) => {
  const text = await product.scrape('sites-svc');
  return Number(new RegExp(`^${name}\\{(?:kind="site-scan",)?app="sites-svc"\\} (\\S+)$`, 'm').exec(text)?.[1]);
};

describe('sites', () => {
  it('of one server are scanned together, including later ones', async () => {
    const first = await importOn(servers[0], '/a', '/b');
    await until(async () => (await queues.waitingIn('site-scans')).length > 0);
    expect(sets(await queues.waitingIn('site-scans'))[0]).toEqual(first.toSorted());
    const laterSites = await importOn(servers[0], '/c');
    const all = [...first, ...laterSites].toSorted();
    await until(async () => sets(await queues.waitingIn('site-scans')).some((batch) => batch.join() === all.join()));
    // From then on they keep the same schedule.
    await queues.empty('site-scans');
    await until(async () => (await queues.waitingIn('site-scans')).length > 1);
    expect(sets((await queues.waitingIn('site-scans')).slice(0, 2))).toEqual([all, all]);
    // Dispatched in time, but no agent takes it.
    await until(async () => (await measured('vigie_sweep_lag_seconds')) < 4);
    await until(async () => (await measured('vigie_sweep_wait_seconds')) > 4);
  });

  it('are visited too, until they are deleted', async () => {
    const ids = await importOn(servers[0], '/a', '/b');
    await until(async () => areIn((await queues.waitingIn('site-visits')).flat(), ids));
    await until(async () => (await measured('vigie_watch_lag_seconds')) > 4);
    // Visits that are made and not stored watch nothing.
    const longAgo = "now() - interval '12 hours'";
    await product.database.query(`update sites.network_state set visited_at = ${longAgo}, expected_at = ${longAgo}`);
    await until(async () => (await measured('vigie_watch_lag_seconds')) > 30_000);
    for (const id of ids) await product.request('DELETE', `/api/sites/${id}`, { token: root });
    expect((await product.database.query('select 1 from sites.sweeps')).rowCount).toBe(0);
  });

  describe('of a group with an interval of its own', () => {
    const url = 'https://exemple.fr';
    let id: string;
    let group: string;
    const query = <T extends object>(sql: string, ...values: unknown[]) => product.database.query<T>(sql, values);
    const ask = (method: string, path: string, body?: object) =>
      product.request(method, `/api${path}`, { token: root, ...(body && { body }) });
    const secondsLeft = async () => {
      const sql = `select extract(epoch from next_at - now())::float8 as s from sites.sweeps
        where kind = 'site-visit' and target_id = $1`;
      return (await query<{ s: number }>(sql, id)).rows[0]?.s ?? 0;
    };
    const report = (code: number) => {
      const seen = { code, error: null, method: 'GET', url, ms: 9, checked_at: new Date().toISOString() };
      return agent.call(reportVisits, { items: [{ id, url, seen, certificate: null, content: null }], network: null });
    };
    beforeEach(async () => {
      [id = ''] = await importOn(servers[0], '/a');
      group = String((await ask('POST', '/groups', { name: 'rares', visit_minutes: 60 })).body['id']);
      await ask('PUT', `/sites/${id}`, { groups: [group] });
      await until(async () => (await secondsLeft()) > 3_500);
    });

    it('are visited at it, and within a minute where they fail or another one holds', async () => {
      await report(200);
      expect(await secondsLeft()).toBeGreaterThan(3_500);
      await report(503);
      expect(await secondsLeft()).toBeLessThanOrEqual(60);
      await query("update sites.sweeps set next_at = now() + interval '50 minutes' where kind = 'site-visit'");
      await ask('PUT', `/groups/${group}`, { visit_minutes: 15 });
      expect(await secondsLeft()).toBeLessThanOrEqual(60);
      await query("update sites.sweeps set next_at = now() + interval '50 minutes' where kind = 'site-visit'");
      await ask('PUT', `/sites/${id}`, { groups: [] });
      expect(await secondsLeft()).toBeLessThanOrEqual(60);
      await ask('PUT', `/sites/${id}`, { groups: [group] });
      await query("update sites.sweeps set next_at = now() + interval '50 minutes' where kind = 'site-visit'");
      await ask('PUT', `/sites/${id}`, { url: 'https://autre.fr' });
      expect(await secondsLeft()).toBeLessThanOrEqual(60);
      await query("update sites.sweeps set next_at = now() + interval '50 minutes' where kind = 'site-visit'");
      await ask('DELETE', `/groups/${group}`);
      expect(await secondsLeft()).toBeLessThanOrEqual(60);
    });

    it('are visited within a minute where they pass to somebody else', async () => {
      const { id: userId } = await addUser(product, root);
      await query("update sites.sweeps set next_at = now() + interval '50 minutes' where kind = 'site-visit'");
      const headers = { 'x-admin-mode': '1' };
      const passed = await product.request('PUT', `/api/groups/${group}/owner`, {
        token: root,
        headers,
        body: { user_id: userId },
      });
      expect(passed.status).toBe(200);
      expect(await secondsLeft()).toBeLessThanOrEqual(60);
      await query(
        "update sites.servers set owner_id = (select id from auth.users where email = 'admin@localhost') where owner_id = $1",
        userId,
      );
    });

    it('have an outage that lasts no longer than it did, and time between visits in which nobody had to watch', async () => {
      await query("update sites.conditions set checked_at = checked_at - interval '1 minute'");
      for (let at = 0; at < 3; at += 1) {
        await report(503);
        await query("update sites.conditions set checked_at = checked_at - interval '1 minute'");
        await query("update sites.visit_samples set at = at - interval '1 minute' where site_id = $1", id);
      }
      const samples = async () => (await query('select from sites.visit_samples where site_id = $1', id)).rowCount;
      expect(await samples()).toBe(1);
      // One that counted for nothing leaves room for one that counts.
      await query('update sites.visit_samples set state = 2 where site_id = $1', id);
      await report(503);
      await report(503);
      expect(await samples()).toBe(2);
      expect((await ask('GET', `/incidents?site_id=${id}`)).body).toMatchObject({ total: 1 });
      await query("delete from sites.incidents where kind = 'unwatched'");
      await query("update sites.sites set created_at = now() - interval '1 day'");
      const unwatched = async (planned: string) => {
        await query("update sites.network_state set visited_at = now() - interval '50 minutes', expected_at = null");
        await query(`update sites.sweeps set next_at = now() - interval '${planned}' where kind = 'site-visit'`);
        await until(async () => (await secondsLeft()) > 3_000);
        await report(200);
        return (await query("select from sites.incidents where kind = 'unwatched'")).rowCount;
      };
      expect([await unwatched('2 minutes'), await unwatched('4 minutes')]).toEqual([0, 1]);
    });
  });

  it('are inspected again after a change, one server at a time', async () => {
    const [one = '', two = ''] = [...(await importOn(servers[0], '/a')), ...(await importOn(servers[1], '/a'))];
    const inspects = () => queues.waitingIn('site-inspects');
    const report = (id: string, mark: string, depth: 'scan' | 'inspect') =>
      agent.call(reportScans, { items: [{ id, version: 1, failure: null, facts: aSiteState({ depth, mark }) }] });
    await until(async () => areIn((await inspects()).flat(), [one, two]));
    expect((await inspects()).filter((batch) => areIn(batch, [one, two]))).toEqual([]);
    await report(one, 'a', 'inspect');
    await report(two, 'a', 'inspect');
    await queues.empty('site-inspects');
    await report(two, 'b', 'scan');
    // An earlier dispatch may still be running.
    await until(async () => (await inspects()).length > 0);
    await queues.empty('site-inspects');
    await until(async () => (await inspects()).length >= 3);
    expect(new Set((await inspects()).flat())).toEqual(new Set([two]));
  });

  describe('that a scan cannot see as a whole', () => {
    const report = (ids: readonly string[], fields: Partial<SiteState>) => {
      const states = () => aSiteState({ needs_boot: ['computed_config'], ...fields });
      const items = ids.map((id) => ({ id, version: 1, failure: null, facts: states() }));
      return agent.call(reportScans, { items });
    };
    /** Pretends that the last inspection was brought forward this long ago, and that the next one is far away. */
    const postpone = (seconds = 0) =>
      product.database.query(
        `update sites.sweeps set next_at = now() + interval '1 hour', hurried_at = hurried_at - make_interval(secs => $1)
         where kind = 'site-inspect'`,
        [seconds],
      );
    /** Seconds until each of them is inspected. */
    const waits = async () => {
      const text =
        'select extract(epoch from next_at - now())::float8 as s from sites.sweeps where kind = $1 order by 1';
      return (await product.database.query<{ s: number }>(text, ['site-inspect'])).rows.map(({ s }) => s);
    };
    const isHurried = async () => (await waits()).every((seconds) => seconds < 60);

    it('are inspected within a minute, but not all at once', async () => {
      const ids = await importOn(servers[0], ...Array.from({ length: 40 }, (_, at) => `/${at}`));
      await postpone();
      await report(ids, { needs_boot: [] });
      expect(await isHurried()).toBe(false);
      await report(ids, {});
      const all = await waits();
      expect(Math.max(...all)).toBeLessThan(60);
      expect(Math.max(...all) - Math.min(...all)).toBeGreaterThan(5);
    });

    it('are inspected again after a scan saw a change', async () => {
      const ids = await importOn(servers[0], '/a');
      await report(ids, { depth: 'inspect', needs_boot: [], mark: 'a' });
      await postpone();
      await report(ids, { mark: 'a' });
      expect(await isHurried()).toBe(false);
      await report(ids, { mark: 'b' });
      expect(await isHurried()).toBe(true);
    });

    it('wait twice as long after each inspection without effect, a day at most', async () => {
      const ids = await importOn(servers[0], '/a');
      const hurriedAfter = async (seconds: number) => {
        await postpone(seconds);
        await report(ids, {});
        return isHurried();
      };
      expect(await hurriedAfter(0)).toBe(true);
      expect([await hurriedAfter(30), await hurriedAfter(40)]).toEqual([false, true]);
      expect([await hurriedAfter(60), await hurriedAfter(70)]).toEqual([false, true]);
      await product.database.query("update sites.sweeps set hurries = 30 where kind = 'site-inspect'");
      expect([await hurriedAfter(8 * 3_600), await hurriedAfter(16 * 3_600)]).toEqual([false, true]);
      expect([await hurriedAfter(30), await hurriedAfter(40)]).toEqual([false, true]);
    });
  });
});
