import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Extension } from '@vigie/contracts/inventory';
import { reportScans } from '@vigie/contracts/site-checks';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { emptyTables } from '@vigie/testing/database';
import { addUser } from '@vigie/testing/people';
import { connectSites, countLocks, totalDifferences } from '@vigie/testing/plugin-totals';
import { TestProduct } from '@vigie/testing/product';
import { seedFleet } from '@vigie/testing/seed';
import { anExtension, aSiteState } from '@vigie/testing/site-state';
import { until } from '@vigie/testing/until';

type Someone = { token: string; id: string; serverId: string };

let product: TestProduct;
let agent: TestBus;
let root: Someone;
let client: Someone;

beforeAll(async () => {
  // No agent takes the queued scans.
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'sites-svc'], { VIGIE_SCAN_SECONDS: '86400' });
  agent = await connectBus(product.keys['ssh-agent']);
  const token = await product.login();
  const [{ id } = { id: '' }] = await rows<{ id: string }>('select id from auth.users');
  root = { token, id, serverId: await seedServer(id) };
  const other = await addUser(product, token);
  client = { token: other.token, id: other.id, serverId: await seedServer(other.id) };
});
afterAll(async () => {
  await agent?.close();
  await product?.stop();
});
beforeEach(async () => {
  await emptyTables(product.database, 'sites.sites', 'sites.jobs', 'sites.groups', 'sites.plugin_refreshes');
  expect(await disagreements()).toEqual([]);
});

const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
  (await product.database.query(sql, values)).rows as T[];

async function seedServer(owner: string): Promise<string> {
  const sizes = { servers: 1, sites: 0, plugins: 0, groups: 0 };
  await seedFleet((sql, values) => product.database.query(sql, values), owner, sizes);
  const [server] = await rows<{ id: string }>('select id from sites.servers where owner_id = $1', [owner]);
  return server?.id ?? '';
}

const ask = (method: string, path: string, { token }: Pick<Someone, 'token'> = root, body?: unknown, headers = {}) =>
  product.request(method, `/api${path}`, { token, headers, ...(body !== undefined && { body }) });

async function addSites(owner: Someone, ...names: string[]): Promise<string[]> {
  const items = names.map((name) => ({ path: `/srv/${name}`, name, url: `https://${name}.fr` }));
  const { body, text } = await ask('POST', '/sites/import', owner, { server_id: owner.serverId, items });
  if (!Array.isArray(body['items'])) throw new Error(text);
  return body['items'].map(({ id }: { id: string }) => id);
}

const aPlugin = (slug: string, fields: Partial<Extension> = {}) =>
  anExtension({ slug, name: slug.toUpperCase(), file: `${slug}/${slug}.php`, version: '1.0', ...fields });
const outdated = (slug: string, fields: Partial<Extension> = {}) =>
  aPlugin(slug, { hasUpdate: true, new_version: '2.0', ...fields });

const report = (id: string | undefined, ...extensions: Extension[]) =>
  agent.call(reportScans, {
    items: [{ id: id ?? '', version: 1, failure: null, facts: aSiteState({ depth: 'inspect', extensions }) }],
  });

type Overview = {
  items: { plugin: string; sites: { site_id: string; hasUpdate: boolean }[]; [field: string]: unknown }[];
  total: number;
  updates_total: number;
  refreshing: boolean;
  diag: Record<string, unknown>;
};

async function overview(query = '', owner: Pick<Someone, 'token'> = root, headers = {}): Promise<Overview> {
  const { status, body, text } = await ask('GET', `/plugins/overview?${query}`, owner, undefined, headers);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body as Overview;
}
const countsOf = ({ items }: Overview) =>
  items.map(({ plugin, sites_count: sites, updates_count: updates, inactive_count: inactive }) => [
    plugin,
    sites,
    updates,
    inactive,
  ]);

const disagreements = () => rows<object>(totalDifferences);
/** The number on the tile. */
const waiting = async () =>
  (await rows<{ n: number }>('select coalesce(sum(updates_plugins), 0)::int as n from sites.sites'))[0]?.n;

async function expectAgreement(): Promise<void> {
  expect(await disagreements()).toEqual([]);
  const { updates_total: total } = await overview('', root, { 'x-admin-mode': '1' });
  expect(total).toBe(await waiting());
}

describe('the totals', () => {
  it('follow each scan of a site, with removed and new plugins', async () => {
    const [one, two] = await addSites(root, 'a', 'b');
    await report(one, outdated('vitrine'), aPlugin('pause', { status: 'inactive' }), anExtension({ type: 'theme' }));
    await report(two, outdated('vitrine', { version: '1.1' }), aPlugin('garde', { kind: 'must_use' }));
    expect(countsOf(await overview())).toEqual([
      ['vitrine', 2, 2, 0],
      ['pause', 1, 0, 1],
    ]);
    await expectAgreement();
    await report(one, aPlugin('vitrine', { version: '2.0', name: 'Aperçu' }), aPlugin('phare'));
    expect(countsOf(await overview('sort=name_asc'))).toEqual([
      ['vitrine', 2, 1, 0],
      ['phare', 1, 0, 0],
    ]);
    await expectAgreement();
    await report(two);
    await expectAgreement();
    expect(countsOf(await overview())).toEqual([
      ['vitrine', 1, 0, 0],
      ['phare', 1, 0, 0],
    ]);
    expect((await overview()).items[0]).toMatchObject({ name: 'Aperçu', latest_version: '2.0', versions_count: 1 });
  });

  it('count a site once for two plugins in one folder, and once for a plugin listed twice', async () => {
    const [one] = await addSites(root, 'a');
    const twin = outdated('duo', { file: 'duo/b.php' });
    await report(one, aPlugin('duo', { file: 'duo/a.php' }), twin, { ...twin, name: 'Encore' });
    expect(countsOf(await overview())).toEqual([['duo', 1, 1, 0]]);
    expect((await overview()).items[0]?.sites).toMatchObject([{ hasUpdate: true }]);
    await expectAgreement();
    await report(one, aPlugin('duo', { file: 'duo/b.php' }));
    await expectAgreement();
  });

  it('drop a deleted site, and a site that has moved', async () => {
    const [one, two, three] = await addSites(root, 'a', 'b', 'c');
    for (const id of [one, two, three]) await report(id, outdated('vitrine'));
    expect((await ask('DELETE', `/sites/${one}`)).status).toBe(204);
    await expectAgreement();
    const moved = { connection: { ssh: { server_id: root.serverId, wp_path: '/srv/ailleurs' } } };
    expect((await ask('PUT', `/sites/${two}`, root, moved)).status).toBe(200);
    expect(countsOf(await overview())).toEqual([['vitrine', 1, 1, 0]]);
    await expectAgreement();
  });

  it('pass on with the sites of a deleted user', async () => {
    const user = await addUser(product, root.token);
    // Inserted directly, as an earlier release would.
    await rows(
      `insert into sites.sites (id, owner_id, name, url, host, login, wp_path, updates_plugins)
       select gen_random_uuid(), $1, 's' || n, 'https://exemple.fr', 'h', 'u', '/srv', 1 from generate_series(1, 250) n`,
      [user.id],
    );
    await rows(
      `insert into sites.site_extensions (site_id, type, slug, kind, name, version, status, is_network_active, has_update,
         new_version)
       select id, 'plugin', 'vitrine', 'regular', 'Vitrine', '1.0', 'active', false, true, '2.0' from sites.sites`,
    );
    await expectAgreement();
    expect(countsOf(await overview())).toEqual([]);
    const [blocker, reporter] = [await connectSites(product.database), await connectSites(product.database)];
    try {
      await blocker.query('begin; lock table owners in exclusive mode');
      expect((await ask('DELETE', `/admin/users/${user.id}`)).status).toBe(204);
      await until(async () => (await countLocks(reporter)).waits > 0);
      // A simultaneous report has locked the last site, and continues to its extensions.
      await reporter.query('begin');
      await reporter.query('select from sites where owner_id = $1 order by id desc limit 1 for update', [user.id]);
      await blocker.query('commit');
      await until(async () => (await countLocks(blocker)).rows > 0);
      expect(await countLocks(blocker)).toMatchObject({ totals: 0 });
      await reporter.query('commit');
    } finally {
      await Promise.all([blocker.end(), reporter.end()]);
    }
    await until(async () => (await overview()).total === 1);
    expect(countsOf(await overview())).toEqual([['vitrine', 250, 250, 0]]);
    await expectAgreement();
  });

  it('stay exact under many simultaneous writers, without a deadlock', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `s${at}`);
    const ids = [...(await addSites(root, ...names)), ...(await addSites(client, ...names))];
    const slugs = ['a', 'b', 'c', 'd', 'e', 'f'];
    const makers = [outdated, aPlugin, outdated];
    for (const [round, make] of makers.entries()) {
      await Promise.all(
        ids.map((id, at) => {
          const list = slugs.filter((_, place) => (at + place + round) % 3 > 0);
          if (at % 2 === 0) list.reverse();
          return report(id, ...list.map((slug) => make(slug, { version: `1.${at % 4}` })));
        }),
      );
      await expectAgreement();
    }
    const deletions = await Promise.all(ids.slice(0, 6).map((id) => ask('DELETE', `/sites/${id}`)));
    expect(deletions.map(({ status }) => status)).toEqual(Array<number>(6).fill(204));
    await expectAgreement();
  });
});

describe('the overview', () => {
  it('shows clients their own sites, and everything in the admin mode', async () => {
    const [ownSite] = await addSites(root, 'a');
    const [clientSite] = await addSites(client, 'b');
    await report(ownSite, aPlugin('vitrine', { version: '1.2' }));
    await report(clientSite, outdated('vitrine', { version: '1.10', name: 'Autrement' }), aPlugin('phare'));
    expect(countsOf(await overview())).toEqual([['vitrine', 1, 0, 0]]);
    const own = await overview('', client, { 'x-admin-mode': '1' });
    expect(own.items.flatMap(({ sites }) => sites.map(({ site_id: id }) => id))).toEqual([clientSite, clientSite]);
    expect(own.diag).toMatchObject({ sites_total: 1, sites_scanned: 1 });
    const all = await overview('', root, { 'x-admin-mode': '1' });
    expect(all.items[0]).toMatchObject({
      plugin: 'vitrine',
      sites_count: 2,
      latest_version: '2.0',
      versions_count: 2,
      versions: [
        { version: '1.10', sites_count: 1 },
        { version: '1.2', sites_count: 1 },
      ],
    });
    expect((await ask('GET', '/plugins/overview/phare/sites')).status).toBe(404);
    expect((await ask('GET', '/plugins/overview/phare/sites', client)).status).toBe(200);
  });

  it('is searched, filtered, sorted and paged', async () => {
    const [one, two] = await addSites(root, 'a', 'b');
    await report(
      one,
      aPlugin('ecran', { name: 'Écran' }),
      outdated('zinc', { name: 'Zinc' }),
      aPlugin('abri', { name: 'Abri' }),
    );
    await report(two, aPlugin('ecran', { name: 'Écran' }), aPlugin('fanal', { name: 'Fanal' }));
    const order = async (query: string) => (await overview(query)).items.map(({ plugin }) => plugin);
    expect(await order('')).toEqual(['zinc', 'ecran', 'abri', 'fanal']);
    expect(await order('sort=sites_desc')).toEqual(['ecran', 'zinc', 'abri', 'fanal']);
    expect(await order('sort=name_asc')).toEqual(['abri', 'ecran', 'fanal', 'zinc']);
    expect(await order('sort=name_asc&limit=2&offset=1')).toEqual(['ecran', 'fanal']);
    expect(await order(`q=${encodeURIComponent('écran')}`)).toEqual(['ecran']);
    expect(await overview('only_updates=1')).toMatchObject({ total: 1, updates_total: 1, items: [{ plugin: 'zinc' }] });
    expect(await overview('offset=50')).toMatchObject({ total: 4, updates_total: 1, items: [] });
  });

  it('counts a group with its subgroups, and a server', async () => {
    const [one, two] = await addSites(root, 'a', 'b');
    await report(one, outdated('vitrine'), aPlugin('phare', { status: 'inactive' }));
    await report(two, outdated('vitrine', { version: '1.1' }));
    const parent = (await ask('POST', '/groups', root, { name: 'parent' })).body['id'];
    const child = (await ask('POST', '/groups', root, { name: 'enfant', parent_id: parent })).body['id'];
    await ask('PUT', `/sites/${one}`, root, { groups: [child] });
    const part = await overview(`group_id=${String(parent)}`);
    expect(countsOf(part)).toEqual([
      ['vitrine', 1, 1, 0],
      ['phare', 1, 0, 1],
    ]);
    expect(part.items[0]).toMatchObject({ versions_count: 1, versions: [{ version: '1.0', sites_count: 1 }] });
    expect(part.items[0]?.sites.map(({ site_id: id }) => id)).toEqual([one]);
    expect(part.diag).toMatchObject({ sites_total: 1 });
    expect((await overview(`server_id=${root.serverId}&only_updates=1`)).updates_total).toBe(2);
    expect((await overview(`group_id=${String(parent)}`, client)).total).toBe(0);
  });

  it('lists twenty sites of each plugin, and all sites in a list of their own', async () => {
    const ids = await addSites(root, ...Array.from({ length: 25 }, (_, at) => `s${at}`));
    await agent.call(reportScans, {
      items: ids.map((id, at) => {
        const extensions = [at === 24 ? outdated('vitrine') : aPlugin('vitrine')];
        return { id, version: 1, failure: null, facts: aSiteState({ depth: 'inspect', extensions }) };
      }),
    });
    const [item] = (await overview()).items;
    expect(item?.sites[0]).toMatchObject({ site_id: ids[24], hasUpdate: true });
    const rest = await ask('GET', '/plugins/overview/vitrine/sites?limit=20&offset=20');
    const all = [...(item?.sites ?? []), ...(rest.body['items'] as { site_id: string }[])].map(({ site_id: id }) => id);
    expect([item?.sites.length, new Set(all).size, rest.body['total']]).toEqual([20, 25, 25]);
    const searchPage = await ask('GET', '/plugins/overview/vitrine/sites?sort=name_asc&q=s2&limit=3');
    const names = (searchPage.body['items'] as { site_name: string }[]).map(({ site_name: name }) => name);
    expect([searchPage.body['total'], names]).toEqual([6, ['s2', 's20', 's21']]);
    const waits = await ask('GET', '/plugins/overview/vitrine/sites?only_updates=1');
    expect(waits.body['items']).toMatchObject([{ site_id: ids[24], job_id: null, failure: null }]);
  });

  it('shows which update needs a licence, and which change is open', async () => {
    const [one] = await addSites(root, 'a');
    await report(one, outdated('vitrine'), outdated('phare'));
    await rows("insert into sites.site_licences (site_id, kind, slug, version) values ($1, 'plugin', 'phare', '2.0')", [
      one,
    ]);
    const update = await ask(
      'POST',
      `/sites/${one}/plugins/update`,
      root,
      { slug: 'vitrine' },
      { prefer: 'respond-async' },
    );
    const { items } = await overview('sort=name_asc');
    expect(items).toMatchObject([
      { plugin: 'phare', blocked_count: 1, sites: [{ blockedByLicense: true }] },
      { plugin: 'vitrine', blocked_count: 0, sites: [{ blockedByLicense: false }] },
    ]);
    const { body } = await ask('GET', '/plugins/overview/vitrine/sites');
    expect(body['items']).toMatchObject([{ job_id: update.body['job_id'] }]);
  });

  it('refuses unknown parameters', async () => {
    const status = async (path: string) => (await ask('GET', path)).status;
    for (const query of ['sort=mine', 'limit=0', 'limit=101', 'offset=-1', 'q=%00', 'only_updates=2', 'group_id=x']) {
      expect([query, await status(`/plugins/overview?${query}`)]).toEqual([query, 400]);
    }
    expect(await status('/plugins/overview?q=a&q=b')).toBe(422);
    expect(await status('/plugins/overview/export?after=x')).toBe(422);
    for (const slug of ['..%2f', '-x', 'a%20b', 'x'.repeat(300)]) {
      expect([slug, await status(`/plugins/overview/${slug}/sites`)]).toEqual([slug, 400]);
    }
    expect(await status(`/plugins/overview?q=${encodeURIComponent("'; drop table sites; --%_")}`)).toBe(200);
  });
});

describe('sites that could not be read', () => {
  it('are listed, and tested again as a batch', async () => {
    const [one, two] = await addSites(root, 'a', 'b');
    await report(one, aPlugin('vitrine'));
    const failure = { message: 'L’hôte ne répond pas.' };
    await agent.call(reportScans, { items: [{ id: two ?? '', version: 1, facts: null, failure }] });
    expect((await overview()).diag).toEqual({
      sites_total: 2,
      sites_scanned: 1,
      sites_failed: 1,
      failures: [{ site_id: two, site_name: 'b', error: 'L’hôte ne répond pas.' }],
    });
    const { status, body, headers } = await ask('POST', '/plugins/overview/retry', root, {});
    expect([status, headers.get('location')]).toEqual([202, `/api/jobs/${String(body['job_id'])}`]);
    const tested = await rows('select site_id from sites.jobs where batch_id = $1', [body['job_id']]);
    expect(tested).toEqual([{ site_id: two }]);
    expect((await ask('POST', '/plugins/overview/retry', client, {})).status).toBe(400);
  });
});

describe('a forced refresh', () => {
  /** Sites that are due, or were dispatched since and are due a day later. */
  const due = async () => (await rows("select from sites.sweeps where next_at < now() + interval '36 hours'")).length;
  const postpone = () => rows("update sites.sweeps set next_at = now() + interval '3 days'");

  it('scans all sites of the caller, at most once in ten seconds', async () => {
    const ids = await addSites(root, 'a', 'b');
    const [clientSite] = await addSites(client, 'c');
    for (const id of [...ids, clientSite]) await report(id, aPlugin('vitrine'));
    await postpone();
    expect((await overview()).refreshing).toBe(false);
    expect((await overview('fresh=1')).refreshing).toBe(true);
    expect(await due()).toBe(2);
    await postpone();
    expect((await overview('fresh=1')).refreshing).toBe(true);
    expect(await due()).toBe(0);
    for (const id of ids) await report(id, aPlugin('vitrine'));
    expect((await overview()).refreshing).toBe(false);
    expect((await overview('', client)).refreshing).toBe(false);
  });

  it('covers the filtered sites, and does not block another one', async () => {
    const [one, two] = await addSites(root, 'a', 'b');
    for (const id of [one, two]) await report(id, aPlugin('vitrine'));
    const names = ['une', 'autre'];
    const groups = names.map(async (name) => (await ask('POST', '/groups', root, { name })).body['id']);
    const [first, second] = await Promise.all(groups);
    await ask('PUT', `/sites/${one}`, root, { groups: [first] });
    await ask('PUT', `/sites/${two}`, root, { groups: [second] });
    await postpone();
    expect(await overview(`fresh=1&group_id=${String(first)}`)).toMatchObject({ refreshing: true, can_refresh: true });
    expect(await due()).toBe(1);
    expect((await overview()).refreshing).toBe(false);
    expect((await overview(`fresh=1&group_id=${String(second)}`)).refreshing).toBe(true);
    expect(await due()).toBe(2);
  });
});

describe('the export', () => {
  it('has a line for each plugin of each site, safe to open in a spreadsheet', async () => {
    const [one, two] = await addSites(root, 'a', 'b');
    const [clientSite] = await addSites(client, 'c');
    await report(clientSite, aPlugin('secret'));
    await report(one, outdated('vitrine'), aPlugin('piege', { name: '=HYPERLINK("http://x")' }));
    await report(two, aPlugin('vitrine', { version: '2.0', status: 'inactive' }));
    const file = await ask('GET', '/plugins/overview/export');
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    // Reading it as text drops the byte order mark.
    const lines = file.text.trim().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^"'=HYPERLINK\(""http:\/\/x""\)";"piege";"a";/);
    expect(lines[2]).toMatch(/^"VITRINE";"vitrine";"a";"https:\/\/a.fr";"1.0";"2.0";"Actif";"Disponible";"";"20/);
    expect(lines[3]).toMatch(/^"VITRINE";"vitrine";"b";"https:\/\/b.fr";"2.0";"";"Inactif";"Aucune connue";"";"20/);
    expect((await ask('GET', '/plugins/overview/export?only_updates=1')).text.trim().split('\r\n')).toHaveLength(2);
    expect((await ask('GET', '/plugins/overview/export?q=pi%C3%A8ge')).text.trim().split('\r\n')).toHaveLength(1);
  });
});
