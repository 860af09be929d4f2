import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { finishJob } from '@vigie/contracts/jobs';
import { reportSweep, type HostProbe, type Vitals } from '@vigie/contracts/server-health';
import { reportScans } from '@vigie/contracts/site-checks';
import type { SiteItem } from '@vigie/contracts/sites';
import { emptyTables } from '@vigie/testing/database';
import { untilOutboxRead } from '@vigie/testing/outbox';
import { TestLedger } from '@vigie/testing/ledger';
import { addUser } from '@vigie/testing/people';
import { seedFleet } from '@vigie/testing/seed';
import { anExtension, aSiteState } from '@vigie/testing/site-state';

let ledger: TestLedger;
let client: { id: string; token: string };
beforeAll(async () => {
  ledger = await TestLedger.start();
  client = await addUser(ledger.product, ledger.root);
  await untilOutboxRead(ledger.product.database);
});
afterAll(() => ledger?.stop());
beforeEach(async () => {
  await emptyTables(ledger.product.database, 'sites.sites', 'sites.groups', 'sites.jobs', 'sites.activity');
  await ledger.rows('delete from sites.servers where id <> $1', [ledger.server.id]);
  await ledger.rows("update sites.servers set status = null, vitals = null, alerts = '[]'");
});

type Body = Record<string, unknown>;
async function read(path: string, token = ledger.root, headers = {}): Promise<Body> {
  const { status, body, text } = await ledger.product.request('GET', `/api${path}`, { token, headers });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return body;
}
const itemsOf = async (...request: Parameters<typeof read>) => (await read(...request))['items'] as Body[];
const admin = { 'x-admin-mode': '1' };

const addSite = (name: string) => ledger.createSite(name, { url: `https://${name}.exemple.fr`, path: `/srv/${name}` });

const offered = (version: string, to: string | null) =>
  aSiteState({
    depth: 'inspect',
    core: { version: '6.8', locale: 'fr_FR', hasUpdate: to !== null, new_version: to && '6.9' },
    extensions: [
      anExtension({ slug: 'vitrine', name: 'Vitrine', version, hasUpdate: to !== null, new_version: to }),
      anExtension({ type: 'theme', slug: 'phare', file: null, name: 'Phare', hasUpdate: to !== null, new_version: to }),
    ],
  });
const scan = (id: string, state = offered('1.2.0', '1.3.0')) =>
  ledger.agent.call(reportScans, { items: [{ id, version: 1, facts: state, failure: null }] });
const fail = (id: string, message: string) =>
  ledger.agent.call(reportScans, { items: [{ id, version: 1, facts: null, failure: { message } }] });

/** Counts the lists line by line. */
async function countFleet(token = ledger.root, headers = {}) {
  const lists = ['/sites', '/groups', '/servers'].map((path) => read(path, token, headers));
  const [sites, groups, servers] = (await Promise.all(lists)) as unknown as [SiteItem[], [], []];
  const updateCounts = sites.flatMap(({ updates }) => updates ?? []);
  const sum = (kind: 'core' | 'plugins' | 'themes') =>
    updateCounts.length === 0 ? null : updateCounts.reduce((total, updates) => total + updates[kind], 0);
  return {
    counts: { sites: sites.length, groups: groups.length, servers: servers.length },
    updates: { core: sum('core'), plugins: sum('plugins'), themes: sum('themes') },
    sites_with_updates:
      updateCounts.length === 0
        ? null
        : updateCounts.filter(({ core, plugins, themes }) => core + plugins + themes > 0).length,
    sites_backed_up: sites.filter(({ last_backup_at: at }) => at !== null).length,
  };
}

async function update(id: string): Promise<void> {
  const { body } = await ledger.request('POST', `/sites/${id}/plugins/update`, {
    body: { slug: 'vitrine' },
    headers: { prefer: 'respond-async' },
  });
  const { id: jobId, fence } = await ledger.begin(String(body['job_id']), ['changes.update']);
  const result = {
    kind: 'plugin',
    slug: 'vitrine',
    name: 'Vitrine',
    from: '1.2.0',
    to: '1.3.0',
    status: 'active',
    aside: null,
  };
  await ledger.agent.call(finishJob, { id: jobId, fence, state: 'succeeded', result, error: null });
}

describe('the summary', () => {
  it('agrees with the lists after every change', async () => {
    const agrees = async () => expect(await read('/dashboard/summary')).toEqual(await countFleet());
    await agrees();
    expect(await read('/dashboard/summary')).toMatchObject({ updates: { core: null, plugins: null, themes: null } });
    const [one, two] = [await addSite('un'), await addSite('deux')];
    await agrees();
    await scan(one);
    await agrees();
    expect(await read('/dashboard/summary')).toMatchObject({
      updates: { core: 1, plugins: 1, themes: 1 },
      sites_with_updates: 1,
    });
    await scan(two);
    await ledger.rows('update sites.sites set updates_core = null, last_backup_at = now() where id = $1', [two]);
    await agrees();
    await update(one);
    await scan(one, offered('1.3.0', null));
    await agrees();
    expect(await read('/dashboard/summary')).toMatchObject({ updates: { core: 0, plugins: 1 }, sites_with_updates: 1 });
    await ledger.request('POST', '/groups', { body: { name: 'Clients' } });
    await ledger.request('DELETE', `/sites/${two}`);
    await agrees();
    expect(await read('/dashboard/summary')).toMatchObject({ counts: { sites: 1, groups: 1, servers: 1 } });
  });

  it('covers what the caller may see', async () => {
    await scan(await addSite('un'));
    const nothing = {
      counts: { sites: 0, groups: 0, servers: 0 },
      updates: { core: null, plugins: null, themes: null },
    };
    expect(await read('/dashboard/summary', client.token, admin)).toMatchObject(nothing);
    expect((await read('/dashboard/todo', client.token, admin))['items']).toEqual([]);
    await ledger.rows('update sites.sites set owner_id = $1', [client.id]);
    expect(await read('/dashboard/summary', client.token)).toEqual(await countFleet(client.token));
    expect(await read('/dashboard/summary')).toMatchObject({ counts: { sites: 0, servers: 1 } });
    expect(await read('/dashboard/summary', ledger.root, admin)).toEqual(await countFleet(ledger.root, admin));
  });
});

const normalVitals: Vitals = {
  uptime_seconds: 10,
  load: 0.5,
  cores: 2,
  mem_used_kib: 1_000,
  mem_total_kib: 4_000,
  disk_pct: 40,
  disk_mount: '/',
  procs: 1,
  threads: 2,
  skew_seconds: 0,
};
const reportProbe = (vitals: Partial<Vitals> | null, probe: Partial<HostProbe> = {}) =>
  ledger.agent.call(reportSweep, {
    items: [
      {
        id: ledger.server.id,
        version: 1,
        online: true,
        method: 'ssh',
        host_key: null,
        vitals: vitals && { ...normalVitals, ...vitals },
        failure: null,
        ...probe,
      },
    ],
  });

describe('the picture of the fleet', () => {
  const fleet = (...caller: [token?: string, headers?: object]) => read('/dashboard/fleet', ...caller);

  it('has a line for each site, with the state that the list gives it, the errors first', async () => {
    expect(await fleet()).toMatchObject({ servers: [], groups: [], reasons: [], sites: { ids: [] }, total: 0 });
    const [plain, old, down] = [await addSite('alpha'), await addSite('bravo'), await addSite('charlie')];
    const group = await ledger.request('POST', '/groups', { body: { name: 'Clients' } });
    await ledger.request('PUT', `/sites/${plain}`, { body: { groups: [group.body['id']] } });
    await scan(plain, offered('1.3.0', null));
    await scan(old);
    await fail(down, 'Le serveur ne répond pas.');
    const http = { code: 404, error: null, method: 'GET', url: 'https://alpha.exemple.fr/', ms: 9, checked_at: null };
    await ledger.rows('update sites.sites set http = $2 where id = $1', [
      plain,
      JSON.stringify({ ...http, checked_at: new Date() }),
    ]);
    const job = await ledger.request('POST', `/sites/${old}/plugins/update`, {
      body: { slug: 'vitrine' },
      headers: { prefer: 'respond-async' },
    });
    expect(await fleet()).toEqual({
      servers: [{ id: ledger.server.id, name: 'web' }],
      groups: [{ id: group.body['id'], name: 'Clients', parent_id: null }],
      busy: [2],
      reasons: [
        { text: 'Le serveur ne répond pas.', sites: [0] },
        { text: 'Le site répond 404.', sites: [1] },
      ],
      sites: {
        ids: [down, plain, old],
        names: ['charlie', 'alpha', 'bravo'],
        statuses: ['error', 'warning', 'warning'],
        servers: [0, 0, 0],
        groups: [[], [0], []],
        updates: [0, 0, 3],
      },
      total: 3,
    });
    await ledger.act(String(job.body['job_id']), 'cancel');
    const { sites, busy } = (await fleet()) as { sites: { ids: string[]; statuses: string[] }; busy: number[] };
    expect(busy).toEqual([]);
    const statusOf = new Map(((await read('/sites')) as unknown as SiteItem[]).map(({ id, status }) => [id, status]));
    expect(sites.ids.map((id) => statusOf.get(id))).toEqual(sites.statuses);
  });

  it('has the sites that the caller may see', async () => {
    const [mine, other] = [await addSite('alpha'), await addSite('bravo')];
    await ledger.rows('update sites.sites set owner_id = $1 where id = $2', [client.id, other]);
    const ids = async (...caller: Parameters<typeof fleet>) => Object((await fleet(...caller))['sites']).ids;
    expect(await ids()).toEqual([mine]);
    expect(await ids(client.token)).toEqual([other]);
    expect(await ids(client.token, admin)).toEqual([other]);
    expect(await ids(ledger.root, admin)).toEqual([mine, other]);
  });
});

describe('the list of things to do', () => {
  const todo = () => itemsOf('/dashboard/todo');
  const kinds = async () => (await todo()).map(({ kind, count }) => [kind, count]);

  it('is ranked and counted, and names the worst ones', async () => {
    expect(await todo()).toEqual([]);
    const [down, late, old] = [await addSite('panne'), await addSite('retard'), await addSite('vieux')];
    // A site that was never read may have backups.
    expect(await todo()).toEqual([]);
    await fail(down, 'Le serveur ne répond pas.');
    await scan(late);
    await scan(old, offered('1.3.0', null));
    await ledger.rows("update sites.sites set last_backup_at = now() - interval '8 days' where id = $1", [late]);
    await reportProbe({ disk_pct: 93 });
    // A lane has three places: one job after the other never waits.
    for (let n = 0; n < 4; n += 1) await ledger.finish(await ledger.hold(await ledger.one()), 'failed');
    expect(await kinds()).toEqual([
      ['sites_down', 1],
      ['servers_in_alert', 1],
      ['jobs_failed', 4],
      ['backups_never', 1],
      ['backups_late', 1],
      ['updates', 1],
    ]);
    const [sites, servers, jobs, never, , updates] = await todo();
    expect(sites?.['worst']).toEqual([
      { id: down, name: 'panne', reason: 'Le serveur ne répond pas.', http_code: null },
    ]);
    expect(servers).toMatchObject({ worst: [{ alerts: [{ kind: 'disk', value: 93, threshold: 90 }] }] });
    expect(jobs?.['worst']).toHaveLength(3);
    expect(never?.['worst']).toEqual([{ id: old, name: 'vieux' }]);
    // The list behind each line has the same count.
    for (const q of ['sauvegarde:jamais', 'sauvegarde:>7j']) {
      expect(await read(`/sites?limit=50&q=${encodeURIComponent(q)}`)).toHaveLength(1);
    }
    expect(updates).toMatchObject({ worst: [{ id: late, name: 'retard', updates: 3 }], ids: [late] });
    expect(jobs?.['ids']).toHaveLength(4);
  });

  it('no longer has work that has been done', async () => {
    const [id] = await ledger.insertJobs({ n: 1 });
    await ledger.finish(await ledger.hold(id ?? ''), 'failed');
    expect(await kinds()).toEqual([['jobs_failed', 1]]);
    const retried = await ledger.act(id ?? '', 'retry');
    expect(await todo()).toEqual([]);
    await ledger.finish(await ledger.hold(String(retried.body['id'])), 'failed');
    expect(await kinds()).toEqual([['jobs_failed', 1]]);
    await ledger.finish(await ledger.hold(await ledger.one()));
    expect(await todo()).toEqual([]);
    await ledger.finish(await ledger.hold(await ledger.one()), 'failed');
    await ledger.rows("update sites.jobs set finished_at = now() - interval '8 days'");
    expect(await todo()).toEqual([]);
  });
});

describe('an alert of a server', () => {
  const alerts = async () => (await itemsOf('/servers/health'))[0]?.['alerts'] as Body[];
  const kinds = async () => (await alerts()).map(({ kind }) => kind);

  it('begins when it is first measured, and ends when it no longer is', async () => {
    await reportProbe({});
    expect(await alerts()).toEqual([]);
    await reportProbe({ disk_pct: 93 });
    const [first] = await alerts();
    await reportProbe({ disk_pct: 95, load: 9 });
    const [disk, load] = await alerts();
    expect(disk).toEqual({ ...first, value: 95 });
    expect(load).toMatchObject({ kind: 'load', value: 9, threshold: 8 });
    expect(String(load?.['since']) > String(first?.['since'])).toBe(true);
    expect(await read('/servers/health?in_alert=1')).toMatchObject({ total: 1, alerts_total: 1 });
    await reportProbe({});
    expect(await read('/servers/health?in_alert=1')).toMatchObject({ items: [], total: 0, alerts_total: 0 });
    await reportProbe({ disk_pct: 93 });
    expect(String((await alerts())[0]?.['since']) > String(load?.['since'])).toBe(true);
  });

  it('stays while the host accepts logins but reports no vitals', async () => {
    await reportProbe({ disk_pct: 93 });
    const before = await alerts();
    await reportProbe(null);
    expect(await alerts()).toEqual(before);
    await reportProbe(null, { online: false, method: null });
    expect(await kinds()).toEqual(['status']);
    await reportProbe(null);
    expect(await kinds()).toEqual([]);
  });
});

describe('the health of many servers', () => {
  const names = async (query: string) => (await itemsOf(`/servers/health?${query}`)).map(({ name }) => name);

  it('is sorted by measure, then by name in French order, unknown values last', async () => {
    const query = (sql: string, values: unknown[]) => ledger.rows(sql, values);
    await seedFleet(query, ledger.server.owner, { servers: 4, sites: 0, plugins: 0, groups: 0 });
    const name = (from: string, to: string, vitals: Partial<Vitals> | null) =>
      ledger.rows('update sites.servers set name = $2, vitals = $3 where name = $1', [
        from,
        to,
        vitals && JSON.stringify({ ...normalVitals, ...vitals }),
      ]);
    await name('web-1', 'zèbre 10', { load: 2 });
    await name('web-2', 'zebre 2', { load: 2, disk_pct: 50 });
    await name('web-3', 'Écho', { load: 0.25, threads: 900 });
    await name('web-4', 'eau', null);
    expect(await names('')).toEqual(['eau', 'Écho', 'web', 'zebre 2', 'zèbre 10']);
    expect(await names('sort=-name')).toEqual(['zèbre 10', 'zebre 2', 'web', 'Écho', 'eau']);
    expect(await names('sort=load')).toEqual(['Écho', 'zebre 2', 'zèbre 10', 'eau', 'web']);
    expect(await names('sort=-load')).toEqual(['zebre 2', 'zèbre 10', 'Écho', 'eau', 'web']);
    expect(await names('sort=-disk&limit=1')).toEqual(['zebre 2']);
    expect(await names('sort=-threads&limit=1')).toEqual(['Écho']);
    for (const sort of ['mem', '-mem', 'procs', '-procs']) {
      expect(await names(`sort=${sort}`)).toEqual(['Écho', 'zebre 2', 'zèbre 10', 'eau', 'web']);
    }
    expect(await names('sort=-load&limit=2&offset=1')).toEqual(['zèbre 10', 'Écho']);
    expect(await read('/servers/health?limit=2&offset=4')).toMatchObject({ total: 5, items: [{ name: 'zèbre 10' }] });
    for (const hostile of ['sort=host', 'sort=load%3Bdrop', 'in_alert=2', 'limit=0']) {
      const { status } = await ledger.request('GET', `/servers/health?${hostile}`);
      expect([hostile, status]).toEqual([hostile, 400]);
    }
  });
});

describe('the feed', () => {
  const lines = (query: string, token = ledger.root, headers = {}) =>
    itemsOf(`/dashboard/activity?${query}`, token, headers);

  it('links a line to its job', async () => {
    const id = await addSite('vitrine');
    await scan(id);
    await update(id);
    const [line] = await lines('kind=updates');
    const [job] = await ledger.rows<{ id: string }>("select id from sites.jobs where kind = 'changes.update'");
    expect(line).toMatchObject({ type: 'plugin_update', site_id: id, job_id: job?.id, batch_id: null, run: null });
  });

  it('has one line for a batch, with its lines behind it, within the filters', async () => {
    const batch = '019a0000-0000-7000-8000-000000000001';
    const write = (
      type: string,
      minutes: number,
      fields: { batch?: string; siteId?: string; owner?: string; state?: string; code?: string },
    ) =>
      ledger.rows(
        `insert into sites.activity (id, type, owner_id, actor_id, actor_name, site_id, site_name, batch_id, details, created_at)
         values (gen_random_uuid(), $1, $2, $2, 'Anne', $3, 'site', $4, $5, now() - make_interval(mins => $6))`,
        [
          type,
          fields.owner ?? ledger.server.owner,
          fields.siteId ?? null,
          fields.batch ?? null,
          JSON.stringify({ state: fields.state ?? 'succeeded', code: fields.code }),
          minutes,
        ],
      );
    const [one, two] = ['019a0000-0000-7000-8000-0000000000aa', '019a0000-0000-7000-8000-0000000000bb'];
    await write('login', 1, {});
    for (let n = 0; n < 12; n += 1) await write('plugin_update', 10 + n, { batch, siteId: n % 2 ? one : two });
    await write('core_update', 30, { batch, siteId: one, state: 'failed', code: 'rolled_back' });
    await write('backup_create', 5, { batch: '019a0000-0000-7000-8000-000000000002', siteId: one });
    await write('login', 2, { owner: client.id });
    const summarize = (items: Body[]) => items.map(({ type, run }) => [type, Object(run).lines ?? null]);
    // A batch with a single line is shown as that line.
    expect(summarize(await lines('grouped=1'))).toEqual([
      ['login', null],
      ['backup_create', null],
      ['plugin_update', 13],
    ]);
    expect((await lines('grouped=1'))[2]?.['run']).toEqual({ id: batch, lines: 13, sites: 2, failed: 1, undone: 1 });
    expect((await lines(`batch_id=${batch}&limit=50`)).length).toBe(13);
    expect((await lines('limit=3')).map(({ run }) => run)).toEqual([null, null, null]);
    expect(summarize(await lines(`grouped=1&site_id=${two}`))).toEqual([['plugin_update', 6]]);
    expect(summarize(await lines('grouped=1&kind=backups'))).toEqual([['backup_create', null]]);
    expect(summarize(await lines(`grouped=1&actor_id=${client.id}`))).toEqual([]);
    expect(summarize(await lines(`grouped=1&actor_id=${client.id}`, ledger.root, admin))).toEqual([['login', null]]);
    expect(await lines(`batch_id=${batch}`, client.token, admin)).toEqual([]);
    expect(await read('/dashboard/activity/choices', client.token)).toEqual({
      people: [{ id: client.id, name: 'Anne' }],
      sites: [],
    });
    expect((await read('/dashboard/activity/choices'))['sites']).toHaveLength(2);
  });
});
