import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokenScopes } from '@vigie/contracts/token-scopes';
import { emptyTables } from '@vigie/testing/database';
import { addServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { sendArchive } from '@vigie/testing/uploads';
import { until } from '@vigie/testing/until';
import { aPlugin } from '@vigie/testing/zip';

type User = Awaited<ReturnType<typeof addUser>>;
type Caller = { token: string; headers?: Record<string, string> };

let product: TestProduct;
let root: string;
let [owner, twin]: User[] = [];
let groups: Record<'top' | 'one' | 'below' | 'two', string>;
let sites: Record<'one' | 'below' | 'two' | 'none', string>;

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  root = await product.login();
  [owner, twin] = [await addUser(product, root), await addUser(product, root)];
  // The twin's login is in their feed alone, and no later.
  await until(async () => {
    const { rows } = await product.database.query('select from sites.activity where actor_id = $1', [twin?.id]);
    return rows.length > 0;
  });
  // Answers are compared, so no job may change its state meanwhile. The lock keeps the dispatcher from queueing them.
  await product.database.query("select pg_advisory_lock(hashtext('sites.dispatch'))");
});
afterAll(() => product?.stop());
beforeEach(async () => {
  const tables = ['groups', 'sites', 'servers', 'jobs', 'activity'].map((table) => `sites.${table}`);
  await emptyTables(product.database, ...tables);
  await addFleet();
});

const ownerSession = (): Caller => ({ token: owner?.token ?? root });
const ask = (method: string, path: string, caller: Caller, body?: unknown) =>
  product.request(method, `/api${path}`, { ...caller, ...(body !== undefined && { body }) });
const make = async (path: string, body: object, caller = ownerSession()) => {
  const { body: made, text } = await ask('POST', path, caller, body);
  if (typeof made['id'] !== 'string') throw new Error(text);
  return made['id'];
};

async function addFleet(): Promise<void> {
  const { id: serverId } = await addServer(product, ownerSession().token, {
    name: 'coulisse',
    host: 'coulisse.exemple.fr',
  });
  const group = (name: string, parent: string | null = null) => make('/groups', { name, parent_id: parent });
  const top = await group('haut');
  const one = await group('un', top);
  groups = { top, one, below: await group('bas', one), two: await group('deux', top) };
  const site = (name: string, its: string[], host: object = { server_id: serverId }) => {
    const ssh = { ...host, wp_path: `/srv/${name}` };
    const url = `https://${name}.exemple.fr`;
    return make('/sites', { name: `vitrine ${name}`, url, groups: its, connection: { ssh } });
  };
  sites = {
    one: await site('un', [groups.one, groups.two]),
    below: await site('bas', [groups.below]),
    two: await site('deux', [groups.two, top]),
    none: await site('rien', [], { host: 'ermite.exemple.fr', user: 'www', auth: { password: 'x' } }),
  };
  await addPlugins();
}

/** Each site has a plugin of its own beside the one of all, and failed. */
async function addPlugins(): Promise<void> {
  const { query } = product.database;
  await query(`update sites.sites set read_at = now(), ssh_error = 'coulisse.exemple.fr refuse', updates_core = 1`);
  await query(`insert into sites.site_extensions (site_id, type, slug, kind, file, name, version, status, is_network_active, has_update, new_version)
    select s.id, 'plugin', x.slug, 'regular', '', x.slug, x.version, 'active', false, true, x.version || '.1'
    from sites.sites s cross join lateral (values ('commun', '1.' || s.wp_path), ('p-' || right(s.id::text, 12), '2.0')) x(slug, version)`);
  for (const id of Object.values(sites)) {
    await ask('POST', `/sites/${id}/backups`, { ...ownerSession(), headers: { prefer: 'respond-async' } }, {});
  }
}

async function makeToken(fields: object, caller = ownerSession()): Promise<Caller> {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { status, text, body } = await ask('POST', '/tokens', caller, {
    name: 'jeton',
    expires_at: expiresAt,
    ...fields,
  });
  if (status !== 201) throw new Error(text);
  return { token: String(body['token']) };
}

/** With all scopes but that of administrators. */
const narrowedTo = (group_ids: string[], { scopes = tokenScopes.slice(0, -1), caller = ownerSession() } = {}) =>
  makeToken({ name: 'un seul groupe', scopes, group_ids }, caller);

const reads = [
  '/sites',
  '/sites?q=coulisse',
  '/sites?q=serveur:coulisse',
  '/sites?q=groupe:deux',
  '/sites?q=plugin:commun&sort=server',
  '/sites/ids',
  '/sites/export',
  '/sites/search-hints?q=groupe:deux serveur:coulisse plugin:p-',
  '/sites/search-hints?q=serveur:ermite',
  '/sites/search-hints?q=serveur:ermite',
  '/groups',
  '/grants',
  '/jobs',
  '/jobs?state=open',
  '/dashboard/summary',
  '/dashboard/todo',
  '/dashboard/fleet',
  '/dashboard/activity?limit=50',
  '/dashboard/activity?grouped=1',
  '/dashboard/activity/choices',
  '/plugins/overview',
  '/plugins/overview/commun/sites',
  '/plugins/overview/export',
  '/search?q=vitrine',
  '/search?q=coulisse',
  '/search?q=deux',
  '/search?q=p-',
];

/** Only who shared it may differ, and that nobody looks for zones, which are in no group. */
const seenBy = async (caller: Caller, path: string) => {
  const { status, text } = await ask('GET', path, caller);
  return [path, status, text.replaceAll(/"(?:shared_by|owner_id)":(?:"[^"]*"|null),?|"away":[^\]]*\]/g, '')];
};

describe('a token that is narrowed to a group', () => {
  it('reads what somebody reads who manages that group alone', async () => {
    await ask('POST', '/grants', ownerSession(), { group_id: groups.one, user_id: twin?.id, role: 'manager' });
    const token = await narrowedTo([groups.one]);
    for (const path of reads) {
      expect(await seenBy(token, path)).toEqual(await seenBy({ token: twin?.token ?? '' }, path));
    }
    for (const id of [sites.one, sites.below]) {
      expect(await seenBy(token, `/sites/${id}`)).toEqual(await seenBy({ token: twin?.token ?? '' }, `/sites/${id}`));
    }
    const names = async (caller: Caller) =>
      ((await ask('GET', '/sites', caller)).body as unknown as { name: string }[]).map(({ name }) => name);
    expect(await names(token)).toEqual(['vitrine bas', 'vitrine un']);
    expect(await names(ownerSession())).toHaveLength(4);
  });

  it('reads no more in admin mode, and the same where other things are shared with its user', async () => {
    const admin = await addUser(product, root, 'admin');
    const headers = { 'x-admin-mode': '1' };
    const caller = { token: admin.token, headers };
    const wide = { ...(await narrowedTo([groups.one], { scopes: [...tokenScopes], caller })), headers };
    const token = await narrowedTo([groups.one]);
    const other = await addUser(product, root);
    const connection = { ssh: { host: 'h.exemple.fr', user: 'www', wp_path: '/srv/x', auth: { password: 'x' } } };
    const theirs = await make('/groups', { name: 'leurs' }, { token: other.token });
    const body = { name: 'vitrine partagée', url: 'https://x.exemple.fr', groups: [theirs], connection };
    const shared = await make('/sites', body, { token: other.token });
    // All sites of one owner are read by the totals of that owner.
    const whole = { ...(await narrowedTo([theirs], { scopes: [...tokenScopes], caller })), headers };
    expect((await ask('GET', '/plugins/overview', whole)).body).toMatchObject({
      diag: { sites_total: 1, failures: [] },
    });
    for (const path of reads) {
      const before = await seenBy(token, path);
      if (path !== '/search?q=coulisse') expect(await seenBy(wide, path)).toEqual(before);
    }
    const before = await Promise.all(reads.map((path) => seenBy(token, path)));
    await ask('POST', '/grants', { token: other.token }, { site_id: shared, user_id: owner?.id, role: 'manager' });
    expect(await Promise.all(reads.map((path) => seenBy(token, path)))).toEqual(before);
    await ask('DELETE', `/sites/${shared}`, { token: other.token });
    await ask('DELETE', `/groups/${theirs}`, { token: other.token });
  });

  it('changes nothing outside, which does not exist for it', async () => {
    const token = await narrowedTo([groups.one]);
    const outside: [string, string, object?][] = [
      ['GET', `/sites/${sites.two}`],
      ['PUT', `/sites/${sites.none}`, { name: 'x' }],
      ['DELETE', `/sites/${sites.two}`],
      ['POST', `/sites/${sites.two}/backups`, {}],
      ['POST', `/sites/${sites.two}/core/update`, {}],
      ['PUT', `/groups/${groups.two}`, { name: 'x' }],
      ['DELETE', `/groups/${groups.top}`],
      ['POST', '/sites/batches/backup', { ids: [sites.one, sites.two] }],
      ['POST', '/sites/batches/delete', { ids: [sites.two] }],
    ];
    for (const [method, path, body] of outside) {
      expect([path, (await ask(method, path, token, body)).status]).toEqual([path, 404]);
    }
    expect((await ask('PUT', `/sites/${sites.one}`, token, { name: 'vitrine une' })).status).toBe(200);
    const move = await ask('PUT', `/sites/${sites.one}`, token, { connection: { ssh: { host: 'ailleurs.fr' } } });
    expect(move.status).toBe(403);
    const joined = await ask('PUT', `/sites/${sites.one}`, token, { groups: [groups.below] });
    expect(joined.body['groups']).toEqual([groups.below]);
    const seen = await ask('GET', `/sites/${sites.one}`, ownerSession());
    expect(seen.body['groups']).toEqual([groups.below, groups.two]);
  });

  it('installs none of its user’s archives', async () => {
    const { body } = await sendArchive(product, aPlugin(), 'phare.zip', { ...ownerSession(), kind: 'plugins' });
    const install = (caller: Caller) =>
      ask('POST', `/sites/${sites.one}/plugins/install`, caller, { filename: String(body['filename']) });
    const [token, headers] = [await narrowedTo([groups.one]), { prefer: 'respond-async' }];
    expect([(await install(token)).status, (await install({ ...ownerSession(), headers })).status]).toEqual([404, 202]);
  });

  it('follows only work whose sites it all reaches', async () => {
    await product.database.query('delete from sites.jobs');
    const batchOf = async (ids: string[], caller: Caller) =>
      String((await ask('POST', '/sites/batches/backup', caller, { ids })).body['job_id']);
    const wide = await batchOf([sites.below, sites.two], ownerSession());
    const token = await narrowedTo([groups.one]);
    const own = await batchOf([sites.one], token);
    expect([
      (await ask('GET', `/jobs/${wide}`, token)).status,
      (await ask('GET', `/jobs/${own}`, token)).status,
    ]).toEqual([404, 200]);
    expect((await ask('POST', `/jobs/${wide}/cancel`, token)).status).toBe(404);
    expect((await ask('POST', `/jobs/${own}/cancel`, token)).status).toBe(200);
    // It reads no command, and stops none.
    const order = { kind: 'shell', command: 'true', timeout_seconds: 60, site_ids: [sites.one], expected: [sites.one] };
    const { body } = await ask('POST', '/sites/commands', ownerSession(), order);
    const { items } = (await ask('GET', `/jobs?batch_id=${String(body['job_id'])}`, ownerSession())).body;
    const [command] = items as { id: string }[];
    expect((await ask('POST', `/jobs/${command?.id}/cancel`, token)).status).toBe(403);
    // Whether it has ended is not told either.
    await product.database.query("update sites.jobs set state = 'succeeded' where id = $1", [command?.id]);
    expect((await ask('POST', `/jobs/${command?.id}/cancel`, token)).status).toBe(403);
  });

  it('calls nothing that knows no groups', async () => {
    const token = await narrowedTo([groups.one]);
    for (const path of ['/servers', '/uploads', '/servers/health', '/auth/me', '/site-views']) {
      const { status, body } = await ask('GET', path, token);
      expect([path, status, body['detail']]).toEqual([path, 403, expect.stringContaining('certains groupes')]);
    }
    expect((await ask('POST', '/groups', token, { name: 'x' })).status).toBe(403);
  });

  it('reaches nothing once the group is deleted, and what is shared with its user as that is shared', async () => {
    const token = await narrowedTo([groups.two]);
    await ask('DELETE', `/groups/${groups.two}`, ownerSession());
    expect((await ask('GET', '/sites/ids', token)).body['total']).toBe(0);
    await ask('POST', '/grants', ownerSession(), { group_id: groups.one, user_id: twin?.id, role: 'viewer' });
    const guest = await narrowedTo([groups.below], { caller: { token: twin?.token ?? '' } });
    const [seen] = (await ask('GET', '/sites', guest)).body as unknown as object[];
    expect(seen).toMatchObject({ id: sites.below, role: 'viewer' });
    expect((await ask('PUT', `/sites/${sites.below}`, guest, { name: 'x' })).status).toBe(403);
    expect((await ask('GET', `/sites/${sites.one}`, guest)).status).toBe(404);
  });

  it('is made only for groups that its user reaches', async () => {
    const caller = { token: (await addUser(product, root)).token };
    await expect(narrowedTo([groups.one], { caller })).rejects.toThrow('n’existe pas');
    await expect(narrowedTo([groups.one, crypto.randomUUID()])).rejects.toThrow('n’existe pas');
  });
});

it('names the token in the audit of what it does', async () => {
  const token = await narrowedTo([groups.one]);
  await ask('PUT', `/sites/${sites.one}`, token, { name: 'renommée' });
  const { rows } = await product.database.query(
    "select details::json -> 'token' ->> 'name' as name from sites.audit_lines where action = 'site_edit' order by at desc limit 1",
  );
  expect(rows).toEqual([{ name: 'un seul groupe' }]);
});

it('widens an administrator’s token only with the scope for it', async () => {
  const session = { token: (await addUser(product, root, 'admin')).token };
  const headers = { 'x-admin-mode': '1' };
  const seenWith = async (...scopes: string[]) =>
    (await ask('GET', '/sites/ids', { ...(await makeToken({ scopes }, session)), headers })).body['total'];
  expect([await seenWith('read'), await seenWith('read', 'admin')]).toEqual([0, 4]);
});

it('has WordPress started by a token only with the scope for it', async () => {
  const headers = { prefer: 'respond-async' };
  const statuses = async (...scopes: string[]) => {
    const caller = { ...(await makeToken({ scopes })), headers };
    const path = `/sites/${sites.one}/inventory`;
    return [(await ask('GET', path, caller)).status, (await ask('GET', `${path}?fresh=1`, caller)).status];
  };
  expect([...(await statuses('read')), ...(await statuses('read', 'update'))]).toEqual([200, 403, 200, 202]);
});

it.each([{ auth: { password: 'nouveau' } }, { auth: null }, { host: 'ailleurs.exemple.fr' }, { port: 2222 }])(
  'lets a token neither set nor move the login of a site: %j',
  async (ssh) => {
    const token = await makeToken({ scopes: ['update'] });
    const { status, body } = await ask('PUT', `/sites/${sites.one}`, token, { connection: { ssh } });
    expect([status, body['detail']]).toEqual([403, 'Cette action demande une session\u00a0: connectez-vous à Vigie.']);
  },
);

it('lets a token set the rest of a site', async () => {
  const token = await makeToken({ scopes: ['update'] });
  expect((await ask('PUT', `/sites/${sites.one}`, token, { name: 'renommée' })).status).toBe(200);
});

it('lists all teams to an administrator’s token only in admin mode', async () => {
  const session = { token: root };
  const name = `équipe ${Date.now()}`;
  await ask('POST', '/teams', session, { name });
  const headers = { 'x-admin-mode': '1' };
  const seenWith = async (...scopes: string[]) => {
    const { body } = await ask('GET', '/teams', { ...(await makeToken({ scopes }, session)), headers });
    return (body['items'] as { name: string }[]).some((team) => team.name === name);
  };
  expect([await seenWith('read'), await seenWith('read', 'admin')]).toEqual([false, true]);
});
