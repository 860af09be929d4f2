import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyTables } from '@vigie/testing/database';
import { addServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

type Body = Record<string, unknown>;
type User = Awaited<ReturnType<typeof addUser>>;

let product: TestProduct;
let root: string;
let [owner, guest, other]: User[] = [];

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  root = await product.login();
  [owner, guest, other] = [await addUser(product, root), await addUser(product, root), await addUser(product, root)];
});
afterAll(() => product?.stop());
beforeEach(() =>
  emptyTables(
    product.database,
    'sites.groups',
    'sites.sites',
    'sites.servers',
    'sites.teams',
    'sites.jobs',
    'sites.activity',
  ),
);

const tokenOf = (user: User | undefined) => user?.token ?? root;
const ask = (method: string, path: string, body?: unknown, user: User | undefined = owner) =>
  product.request(method, `/api${path}`, { token: tokenOf(user), ...(body !== undefined && { body }) });
const idOf = (answer: { body: Body; text: string }) => {
  if (typeof answer.body['id'] !== 'string') throw new Error(answer.text);
  return answer.body['id'];
};
const group = async (name: string, parentId: string | null = null) =>
  idOf(await ask('POST', '/groups', { name, parent_id: parentId }));
const site = async (name: string, groups: string[] = [], more: object = {}, user = owner) => {
  const ssh = { host: 'web.exemple.fr', user: 'www', wp_path: '/srv/www', auth: { password: 'x' } };
  return idOf(
    await ask('POST', '/sites', { name, url: 'https://exemple.fr', groups, connection: { ssh }, ...more }, user),
  );
};
const share = (body: object, user = owner) => ask('POST', '/grants', body, user);
const list = async (path: string, user = guest) => {
  const { body } = await ask('GET', path, undefined, user);
  return (Array.isArray(body) ? body : body['items']) as Body[];
};
const names = async (path: string, user = guest) => (await list(path, user)).map(({ name }) => name);
const tooWeak = { status: 403, body: { detail: expect.stringContaining('partagé avec vous sans ce droit') } };

describe('a shared site', () => {
  it('is seen with its role and by whom it was shared, without its connection', async () => {
    const id = await site('vitrine', [await group('caché')]);
    await site('autre');
    expect(await names('/sites')).toEqual([]);
    const created = await share({ site_id: id, user_id: guest?.id, role: 'viewer' });
    expect(created).toMatchObject({
      status: 201,
      body: { site_id: id, group_id: null, target_name: 'vitrine', name: 'Anne Le Goff', role: 'viewer' },
    });
    const [seen] = await list('/sites');
    expect(seen).toMatchObject({ name: 'vitrine', role: 'viewer', shared_by: 'Anne Le Goff', groups: [] });
    expect(Object.values(Object(seen?.['connection']).ssh).filter(Boolean)).toEqual([]);
    expect((await list('/sites', owner)).map(({ role, shared_by: by }) => [role, by])).toEqual([
      ['owner', null],
      ['owner', null],
    ]);
    expect((await ask('DELETE', `/grants/${idOf(created)}`)).status).toBe(204);
    expect(await names('/sites')).toEqual([]);
    expect((await ask('GET', `/sites/${id}`, undefined, guest)).status).toBe(404);
  });

  it('is changed as far as the role goes', async () => {
    const id = await site('vitrine');
    await share({ site_id: id, user_id: guest?.id, role: 'viewer' });
    expect(await ask('POST', `/sites/${id}/backups`, {}, guest)).toMatchObject(tooWeak);
    await share({ site_id: id, user_id: guest?.id, role: 'operator' });
    expect((await ask('POST', '/sites/batches/backup', { ids: [id] }, guest)).status).toBe(202);
    expect(await ask('PUT', `/sites/${id}`, { name: 'x' }, guest)).toMatchObject(tooWeak);
    await share({ site_id: id, user_id: guest?.id, role: 'manager' });
    expect(await ask('PUT', `/sites/${id}`, { name: 'x' }, guest)).toMatchObject({ status: 200, body: { name: 'x' } });
    for (const change of [
      { url: 'https://ailleurs.fr' },
      { connection: { ssh: { wp_path: '/srv/autre' } } },
      { connection: { ssh: { auth: { password: 'y' } } } },
      { connection: { ssh: { host: 'autre.exemple.fr' } } },
      // A right guess would tell what the connection is.
      { connection: { ssh: { host: 'web.exemple.fr' } } },
    ]) {
      expect(await ask('PUT', `/sites/${id}`, change, guest)).toMatchObject(tooWeak);
    }
    expect((await ask('POST', `/sites/${id}/trust`, { fingerprint: `SHA256:${'A'.repeat(43)}` }, guest)).status).toBe(
      403,
    );
    const { rows } = await product.database.query('select count(*)::int as n from sites.grants');
    expect(rows).toEqual([{ n: 1 }]);
    expect((await ask('DELETE', `/sites/${id}`, undefined, guest)).status).toBe(204);
    expect(await names('/sites', owner)).toEqual([]);
  });

  it('tells nothing of its server to a search, a filter or an order', async () => {
    const { id: serverId } = await addServer(product, tokenOf(owner), {
      name: 'coulisse',
      host: 'coulisse.exemple.fr',
    });
    const onServer = { connection: { ssh: { server_id: serverId, wp_path: '/srv/a' } } };
    const id = await site('vitrine', [], onServer);
    await share({ site_id: id, user_id: guest?.id, role: 'manager' });
    for (const query of ['q=coulisse', 'q=serveur:coulisse', `server_id=${serverId}`]) {
      expect([query, await names(`/sites?${query}`), await names(`/sites?${query}`, owner)]).toEqual([
        query,
        [],
        ['vitrine'],
      ]);
    }
    const found = (await ask('GET', '/search?q=vitrine', undefined, guest)).body;
    expect(found).toMatchObject({ sites: [{ name: 'vitrine', server_id: null }], servers: [] });
    const fleet = (await ask('GET', '/dashboard/fleet', undefined, guest)).body;
    expect(fleet).toMatchObject({ servers: [], sites: { names: ['vitrine'], servers: [null] } });
    const exported = (await ask('GET', '/sites/export', undefined, guest)).text;
    expect([exported.includes('vitrine'), exported.includes('coulisse')]).toEqual([true, false]);
  });
});

describe('a shared group', () => {
  it('shares the sites of the groups below it, and no group above', async () => {
    const top = await group('haut');
    const middle = await group('milieu', top);
    const low = await group('bas', middle);
    await site('loin', [top]);
    await site('près', [low]);
    await share({ group_id: middle, user_id: guest?.id, role: 'operator' });
    expect(await names('/sites')).toEqual(['près']);
    const groups = (await list('/groups')).map(({ name, parent_id: parent, sitesCount: count, role }) => [
      name,
      parent,
      count,
      role,
    ]);
    expect(groups).toEqual([
      ['bas', middle, 1, 'operator'],
      ['milieu', null, 1, 'operator'],
    ]);
    expect(await names(`/sites?group_id=${top}`)).toEqual([]);
    expect(await names('/sites?q=groupe:milieu')).toEqual(['près']);
    const inherited = [{ group_id: middle, target_name: 'milieu', role: 'operator' }];
    expect(await list(`/grants?group_id=${low}`, owner)).toMatchObject(inherited);
    expect(await list(`/grants?site_id=${String((await list('/sites'))[0]?.['id'])}`, owner)).toMatchObject(inherited);
    expect(await list(`/grants?group_id=${top}`, owner)).toEqual([]);
    expect((await ask('GET', '/dashboard/summary', undefined, guest)).body['counts']).toEqual({
      sites: 1,
      groups: 2,
      servers: 0,
    });
    expect((await ask('PUT', `/groups/${middle}`, { name: 'x' }, guest)).status).toBe(403);
    // The strongest role wins.
    await share({ group_id: low, user_id: guest?.id, role: 'manager' });
    expect((await list('/sites')).map(({ role }) => role)).toEqual(['manager']);
    expect((await ask('PUT', `/groups/${low}`, { name: 'fond' }, guest)).status).toBe(200);
    expect((await ask('PUT', `/groups/${low}`, { parent_id: null }, guest)).status).toBe(403);
    expect((await ask('PUT', `/groups/${low}`, { name: 'fond', parent_id: middle }, guest)).status).toBe(200);
    await ask('DELETE', `/groups/${middle}`);
    expect(await names('/groups')).toEqual(['fond']);
  });

  it('is shared with a team for as long as one is in it', async () => {
    const id = await group('clients');
    await site('vitrine', [id]);
    const team = idOf(
      await product.request('POST', '/api/teams', { token: root, body: { name: 'Atelier', user_ids: [guest?.id] } }),
    );
    // Only its members and administrators know a team.
    expect((await share({ group_id: id, team_id: team, role: 'viewer' })).status).toBe(404);
    const admin = {
      token: root,
      headers: { 'x-admin-mode': '1' },
      body: { group_id: id, team_id: team, role: 'viewer' },
    };
    expect(await product.request('POST', '/api/grants', admin)).toMatchObject({
      status: 201,
      body: { name: 'Atelier' },
    });
    expect([await names('/sites'), await names('/sites', other)]).toEqual([['vitrine'], []]);
    // By the team, a manager would keep what is shared with them after their own grant has ended.
    const own = idOf(await share({ group_id: id, user_id: guest?.id, role: 'manager' }));
    const byTeam = await share({ group_id: id, team_id: team, role: 'manager' }, guest);
    expect([byTeam.status, byTeam.body['detail']]).toEqual([409, expect.stringContaining('membre de cette équipe')]);
    await ask('DELETE', `/grants/${own}`);
    await product.request('PUT', `/api/teams/${team}`, { token: root, body: { user_ids: [other?.id] } });
    expect([await names('/sites'), await names('/sites', other)]).toEqual([[], ['vitrine']]);
    await product.request('DELETE', `/api/teams/${team}`, { token: root });
    expect(await names('/sites', other)).toEqual([]);
  });

  it('keeps its sites where a manager cannot see their other groups', async () => {
    const [one, two, hidden] = [await group('un'), await group('deux'), await group('caché')];
    const id = await site('vitrine', [one, hidden]);
    await share({ group_id: one, user_id: guest?.id, role: 'manager' });
    expect((await ask('PUT', `/sites/${id}`, { groups: [hidden] }, guest)).status).toBe(400);
    // Without the group by which it is shared, its manager would lose the site.
    expect((await ask('PUT', `/sites/${id}`, { groups: [] }, guest)).status).toBe(409);
    const leave = { ids: [id], group_id: one, verb: 'leave' };
    expect((await ask('POST', '/sites/batches/group', leave, guest)).status).toBe(409);
    expect((await ask('GET', `/sites/${id}`)).body['groups']).toContain(one);
    await share({ group_id: two, user_id: guest?.id, role: 'manager' });
    expect((await ask('PUT', `/sites/${id}`, { groups: [two] }, guest)).body['groups']).toEqual([two]);
    expect((await ask('GET', `/sites/${id}`)).body['groups']).toEqual([hidden, two]);
  });
});

describe('a grant', () => {
  it('is given and taken by who manages the site, and known to nobody else', async () => {
    const id = await site('vitrine');
    const given = idOf(await share({ site_id: id, user_id: guest?.id, role: 'operator' }));
    expect(await share({ site_id: id, user_id: other?.id, role: 'viewer' }, guest)).toMatchObject(tooWeak);
    expect(await ask('GET', `/grants?site_id=${id}`, undefined, guest)).toMatchObject(tooWeak);
    expect((await ask('GET', `/grants?site_id=${id}`, undefined, other)).status).toBe(404);
    expect((await ask('DELETE', `/grants/${given}`, undefined, guest)).status).toBe(404);
    expect((await ask('GET', '/grants', undefined, guest)).body).toEqual({ items: [], total: 0 });
    await share({ site_id: id, user_id: guest?.id, role: 'manager' });
    expect((await share({ site_id: id, user_id: other?.id, role: 'manager' }, guest)).status).toBe(201);
    // A grant to oneself would outlive the one by which it was given.
    expect((await share({ site_id: id, user_id: guest?.id, role: 'manager' }, guest)).status).toBe(409);
    expect((await ask('GET', `/grants?site_id=${id}`, undefined, guest)).body['total']).toBe(2);
    expect((await ask('GET', '/grants?limit=1&offset=5')).body).toEqual({ items: [], total: 2 });
  });

  it('names one site or group, and one person or team, who can have it', async () => {
    const id = await site('vitrine');
    const role = 'viewer';
    const refusals = [
      [{ user_id: guest?.id, role }, 400],
      [{ site_id: id, group_id: id, user_id: guest?.id, role }, 400],
      [{ site_id: id, role }, 400],
      [{ site_id: id, user_id: guest?.id, role: 'owner' }, 400],
      [{ site_id: id, user_id: randomUUID(), role }, 404],
      [{ site_id: id, team_id: randomUUID(), role }, 404],
      [{ site_id: randomUUID(), user_id: guest?.id, role }, 404],
      [{ site_id: id, user_id: owner?.id, role }, 409],
    ] as const;
    for (const [body, status] of refusals) expect([body, (await share(body)).status]).toEqual([body, status]);
    expect((await share({ site_id: id, user_id: guest?.id, role }, other)).status).toBe(404);
  });

  it('ends with its user', async () => {
    const left = await addUser(product, root);
    const id = await site('vitrine');
    await share({ site_id: id, user_id: left.id, role: 'viewer' });
    expect((await product.request('DELETE', `/api/admin/users/${left.id}`, { token: root })).status).toBe(204);
    await until(async () => (await list('/grants', owner)).length === 0);
    expect((await share({ site_id: id, user_id: left.id, role: 'viewer' })).status).toBe(404);
  });

  it('is in the audit and in the owner’s feed only', async () => {
    const id = await site('vitrine');
    for (const role of ['viewer', 'manager']) await share({ site_id: id, user_id: guest?.id, role });
    await ask('PUT', `/sites/${id}`, { connection: { ssh: { host: 'neuf.exemple.fr', auth: { password: 'z' } } } });
    const types = async (user: User | undefined) =>
      (await list('/dashboard/activity?limit=50', user)).filter(({ site_id: on }) => on === id).map(({ type }) => type);
    expect(await types(owner)).toEqual(['site_edit', 'grant_edit', 'grant_create', 'site_create']);
    expect(await types(guest)).toEqual(['site_edit', 'site_create']);
    const seen = (await list('/dashboard/activity?limit=50', guest)).map(({ details }) => details);
    expect(seen).toEqual([{}, { url: 'https://exemple.fr' }]);
  });
});

describe('work on shared sites', () => {
  it('is followed by its owner and by the person who requested it', async () => {
    const id = await group('clients');
    const [one, two] = [await site('un', [id]), await site('deux', [id])];
    await share({ group_id: id, user_id: guest?.id, role: 'operator' });
    await share({ site_id: one, user_id: other?.id, role: 'viewer' });
    const { body } = await ask('POST', '/sites/batches/backup', { ids: [one, two] }, guest);
    const batch = String(body['job_id']);
    const kinds = async (user: User | undefined) =>
      (await list('/jobs', user)).map(({ id: job, site_name: on }) => (job === batch ? 'batch' : on));
    expect(await kinds(owner)).toEqual(['batch']);
    expect(await kinds(guest)).toEqual(['batch']);
    expect(await kinds(other)).toEqual(['un']);
    const [seen] = await list('/jobs', other);
    expect(await ask('POST', `/jobs/${String(seen?.['id'])}/cancel`, undefined, other)).toMatchObject(tooWeak);
    expect((await ask('GET', `/jobs/${batch}`, undefined, other)).status).toBe(404);
    expect((await ask('POST', `/jobs/${batch}/cancel`, undefined, guest)).status).toBe(200);
    await product.database.query(
      `update sites.jobs set result = '{"path": "/srv/www"}', error = '{"message": "web.exemple.fr:22", "code": "refused", "stderr": "/srv/www"}'
       where site_id = $1`,
      [one],
    );
    await product.database.query(
      "insert into sites.job_log (job_id, seq, at, text) select id, 1000, now(), '/srv/www' from sites.jobs where site_id = $1",
      [one],
    );
    const { text } = await ask('GET', `/jobs/${String(seen?.['id'])}`, undefined, other);
    expect([text.includes('backups.create'), /srv|web\.exemple/.test(text)]).toEqual([true, false]);
    const [grant] = await list('/grants', owner);
    expect(grant).toMatchObject({ site_id: one });
    for (const each of await list('/grants', owner)) await ask('DELETE', `/grants/${String(each['id'])}`);
    expect([await kinds(guest), await kinds(other)]).toEqual([[], []]);
    expect((await ask('GET', `/jobs/${batch}`, undefined, guest)).status).toBe(404);
  });
});
