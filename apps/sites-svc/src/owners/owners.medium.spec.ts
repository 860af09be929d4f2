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
let [before, after]: User[] = [];

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  root = await product.login();
  [before, after] = [await addUser(product, root), await addUser(product, root)];
  await asAdmin('PUT', `/admin/users/${after.id}`, { first_name: 'Zoé' });
});
afterAll(() => product?.stop());
beforeEach(() =>
  emptyTables(
    product.database,
    'sites.local_backups',
    'sites.uploads',
    'sites.groups',
    'sites.sites',
    'sites.servers',
    'sites.jobs',
    'sites.activity',
  ),
);

const ask = (method: string, path: string, body?: unknown, user: User | undefined = before) =>
  product.request(method, `/api${path}`, { token: user?.token ?? root, ...(body !== undefined && { body }) });
const asAdmin = (method: string, path: string, body?: unknown) =>
  product.request(method, `/api${path}`, { token: root, headers: { 'x-admin-mode': '1' }, body });
const pass = (path: string, more: object = {}) => asAdmin('PUT', `/${path}/owner`, { user_id: after?.id, ...more });
const plan = (kind: string, ids: readonly string[]) =>
  asAdmin('POST', '/owners/plan', { kind, ids, user_id: after?.id });
const idOf = (answer: { body: Body; text: string }) => {
  if (typeof answer.body['id'] !== 'string') throw new Error(answer.text);
  return answer.body['id'];
};
const group = async (name: string, parentId: string | null = null) =>
  idOf(await ask('POST', '/groups', { name, parent_id: parentId }));
const server = async (name: string, more: object = {}) =>
  (await addServer(product, before?.token ?? root, { name, host: `${name}.exemple.fr`, ...more })).id;
const site = async (name: string, serverId?: string, groups: string[] = []) => {
  const own = { host: 'web.exemple.fr', user: 'www', wp_path: '/srv/www', auth: { password: 'x' } };
  const ssh = serverId === undefined ? own : { server_id: serverId, wp_path: `/srv/${name}` };
  return idOf(await ask('POST', '/sites', { name, url: 'https://exemple.fr', groups, connection: { ssh } }));
};
const list = async (path: string, user: User | undefined = after) => {
  const { body } = await ask('GET', path, undefined, user);
  return (Array.isArray(body) ? body : body['items']) as Body[];
};
const names = async (path: string, user = after) => (await list(path, user)).map(({ name }) => name);
const rows = async (sql: string, ...values: unknown[]) => (await product.database.query(sql, values)).rows as Body[];

const addJob = async (siteId: string, batchId: string | null = null) => {
  const id = randomUUID();
  await rows(
    `insert into sites.jobs (id, kind, owner_id, actor_id, site_id, site_name, batch_id, queue, lane, is_exclusive,
       is_heavy, input, state, finished_at)
     select $1, 'backups.create', owner_id, owner_id, id, name, $3, 'site-ops', '', false, false, '{}', 'succeeded', now()
     from sites.sites where id = $2`,
    id,
    siteId,
    batchId,
  );
  return id;
};
const addBatch = async () => {
  const id = randomUUID();
  await rows(
    `insert into sites.jobs (id, kind, owner_id, actor_id, is_batch, queue, lane, is_exclusive, is_heavy, input, state, finished_at)
     values ($1, 'backups.create', $2, $2, true, 'site-ops', '', false, false, '{}', 'succeeded', now())`,
    id,
    before?.id,
  );
  return id;
};
const addBackup = (owner: User | undefined, siteId: string | null, filename = 'une.wpress') =>
  rows(
    `insert into sites.local_backups (id, owner_id, site_id, site_name, filename, size, sha256, object_key, made_at)
     values (gen_random_uuid(), $1, $2, 'site', $3, 1, '', gen_random_uuid()::text, now())`,
    owner?.id,
    siteId,
    filename,
  );

describe('a server', () => {
  it('passes to another owner with its sites and their history, and leaves the groups of the former owner', async () => {
    const clients = await group('clients');
    const serverId = await server('nuage', { groups: [clients] });
    const siteId = await site('vitrine', serverId, [clients]);
    await site('ailleurs');
    const jobId = await addJob(siteId);
    expect(await pass(`servers/${serverId}`)).toMatchObject({
      status: 200,
      body: { sites: 1, servers: 1, groups: 0 },
    });
    expect([await names('/servers'), await names('/sites')]).toEqual([['nuage'], ['vitrine']]);
    expect([await names('/servers', before), await names('/sites', before)]).toEqual([[], ['ailleurs']]);
    expect((await list('/sites'))[0]).toMatchObject({ id: siteId, role: 'owner', groups: [] });
    expect((await ask('GET', `/jobs/${jobId}`, undefined, after)).status).toBe(200);
    expect((await ask('GET', `/jobs/${jobId}`)).status).toBe(404);
    expect((await ask('GET', `/sites/${siteId}`)).status).toBe(404);
    expect((await list('/groups', before))[0]).toMatchObject({ sitesCount: 0, serversCount: 0 });
  });

  it('is told of in both feeds and in the audit, with both names', async () => {
    const serverId = await server('nuage');
    await pass(`servers/${serverId}`);
    const line = {
      type: 'owner_change',
      server_name: 'nuage',
      details: { from: 'Anne Le Goff', to: 'Zoé Le Goff', sites: 0, servers: 1 },
    };
    for (const user of [before, after]) {
      const feed = await list('/dashboard/activity', user);
      expect(feed.filter(({ type }) => type === 'owner_change')).toMatchObject([line]);
    }
    const audit = await rows(
      "select details from sites.audit_lines where action = 'owner_change' and target_id = $1",
      serverId,
    );
    expect(JSON.parse(String(audit[0]?.['details']))).toMatchObject({ from: 'Anne Le Goff', to: 'Zoé Le Goff' });
  });

  it('passes once: a second request changes nothing', async () => {
    const serverId = await server('nuage');
    await pass(`servers/${serverId}`);
    expect((await pass(`servers/${serverId}`)).body).toEqual({ sites: 0, servers: 0, groups: 0 });
    expect((await plan('server', [serverId])).status).toBe(409);
    expect(
      await rows("select from sites.audit_lines where action = 'owner_change' and target_id = $1", serverId),
    ).toHaveLength(1);
  });
});

describe('a site', () => {
  it('stays where its server has other sites, and takes a server along that is its alone', async () => {
    const serverId = await server('nuage');
    const [one, other] = [await site('un', serverId), await site('autre', serverId)];
    const refusal = { status: 409, body: { detail: { code: 'sites_left', sites: [{ id: other, name: 'autre' }] } } };
    expect(await pass(`sites/${one}`)).toMatchObject(refusal);
    expect(await plan('site', [one])).toMatchObject(refusal);
    expect(await names('/sites')).toEqual([]);
    const all = await asAdmin('POST', '/sites/batches/owner', { ids: [one, other], user_id: after?.id });
    expect(all.body).toEqual({ sites: 2, servers: 1, groups: 0 });
    expect([await names('/servers'), await names('/sites')]).toEqual([['nuage'], ['autre', 'un']]);
  });

  it('passes with all others of the request, or none does', async () => {
    const ids = [await site('un'), await site('deux')];
    const body = { ids: [...ids, randomUUID()], user_id: after?.id };
    expect((await asAdmin('POST', '/sites/batches/owner', body)).status).toBe(404);
    expect(await names('/sites')).toEqual([]);
  });

  it('takes its stored archives along, under another name where that one is taken, or leaves them', async () => {
    const [along, alone] = [await site('avec'), await site('sans')];
    await addBackup(before, along);
    await addBackup(after, null);
    await addBackup(before, alone, 'deux.wpress');
    await pass(`sites/${along}`);
    await pass(`sites/${alone}`, { with_backups: false });
    const stored = async (user: User | undefined) =>
      rows(
        'select site_id, filename, goes_at from sites.local_backups where owner_id = $1 order by filename',
        user?.id,
      );
    expect(await stored(after)).toEqual([
      { site_id: along, filename: expect.stringMatching(/^une-[0-9a-f]{8}\.wpress$/), goes_at: null },
      { site_id: null, filename: 'une.wpress', goes_at: null },
    ]);
    expect(await stored(before)).toEqual([{ site_id: null, filename: 'deux.wpress', goes_at: null }]);
  });

  it('leaves the part of a batch that the former owner keeps', async () => {
    const [gone, kept] = [await site('parti'), await site('gardé')];
    const [divided, whole] = [await addBatch(), await addBatch()];
    const jobs = { gone: await addJob(gone, divided), kept: await addJob(kept, divided) };
    await addJob(gone, whole);
    await pass(`sites/${gone}`);
    const parts = async (user: User | undefined) => (await list(`/jobs?batch_id=${divided}`, user)).map(({ id }) => id);
    expect([await parts(before), await parts(after)]).toEqual([[jobs.kept], [jobs.gone]]);
    const seen = async (user: User | undefined) => new Set((await list('/jobs', user)).map(({ id }) => id));
    expect(await seen(before)).toEqual(new Set([divided]));
    expect(await seen(after)).toEqual(new Set([jobs.gone, whole]));
  });

  it('takes along the packages that were installed nowhere else, when asked to', async () => {
    const [gone, kept] = [await site('parti'), await site('gardé')];
    const addUpload = (key: string) =>
      rows(
        `insert into sites.uploads (id, owner_id, type, filename, slug, name, size, sha256, object_key, created_at)
         values (gen_random_uuid(), $1, 'plugin', $2, 'x', 'X', 1, '', $2, now())`,
        before?.id,
        key,
      );
    for (const [key, ids] of [
      ['ici.zip', [gone]],
      ['partout.zip', [gone, kept]],
      ['nulle part.zip', []],
    ] as const) {
      await addUpload(key);
      for (const id of ids) {
        await rows(
          `update sites.jobs set kind = 'changes.install', input = jsonb_build_object('package', jsonb_build_object('key', $2::text))
           where id = $1`,
          await addJob(id),
          key,
        );
      }
    }
    expect((await plan('site', [gone])).body).toMatchObject({ uploads: 1 });
    await pass(`sites/${gone}`, { with_uploads: true });
    expect(await rows('select filename from sites.uploads where owner_id = $1', after?.id)).toEqual([
      { filename: 'ici.zip' },
    ]);
  });
});

describe('a group', () => {
  it('passes with the groups below it, their sites and servers, and stays shared with others', async () => {
    const above = await group('agence');
    const clients = await group('clients', above);
    const below = await group('mairies', clients);
    const serverId = await server('nuage');
    const siteId = await site('vitrine', serverId, [below, above]);
    for (const user of [await addUser(product, root), after]) {
      await ask('POST', '/grants', { group_id: clients, user_id: user?.id, role: 'viewer' });
    }
    expect((await plan('group', [clients])).body).toMatchObject({
      groups: { names: ['clients', 'mairies'], total: 2 },
      sites: { names: ['vitrine'], total: 1 },
      servers: { names: ['nuage'], total: 1 },
      left_groups: { names: ['agence'], total: 1 },
      grants: 1,
    });
    expect((await pass(`groups/${clients}`)).body).toEqual({ sites: 1, servers: 1, groups: 2 });
    const groups = await list('/groups');
    expect(groups.map(({ name, parent_id: parent }) => [name, parent])).toEqual([
      ['clients', null],
      ['mairies', clients],
    ]);
    expect(await list('/sites')).toMatchObject([{ id: siteId, groups: [below] }]);
    expect(await names('/groups', before)).toEqual(['agence']);
    expect(await rows('select user_id from sites.grants')).toHaveLength(1);
  });

  it('stays where one of its servers has a site outside of it', async () => {
    const clients = await group('clients');
    const serverId = await server('nuage');
    await site('dedans', serverId, [clients]);
    await site('dehors', serverId);
    const refused = await pass(`groups/${clients}`);
    expect(refused).toMatchObject({ status: 409, body: { detail: { total: 1 } } });
    expect(Object(refused.body['detail']).message).toBe(
      'Un serveur passe avec tous ses sites, ou pas du tout. Resteraient sur nuage\u00a0: dehors. Confiez-les aussi, ou confiez le serveur.',
    );
    expect(await names('/groups')).toEqual([]);
  });
});

describe('a change of owner', () => {
  it('says where only an administrator may connect', async () => {
    const serverId = await server('privé', { host: '10.1.2.3' });
    expect((await plan('server', [serverId])).body).toMatchObject({ private_hosts: { names: ['10.1.2.3'], total: 1 } });
  });

  it('needs an administrator who sees it, and somebody who exists', async () => {
    const siteId = await site('vitrine');
    const [path, body] = [`/sites/${siteId}/owner`, { user_id: after?.id }];
    expect((await ask('PUT', path, body)).status).toBe(403);
    expect((await ask('POST', '/owners/plan', { kind: 'site', ids: [siteId], ...body })).status).toBe(403);
    expect((await product.request('PUT', `/api${path}`, { token: root, body })).status).toBe(404);
    expect((await pass(`sites/${siteId}`, { user_id: randomUUID() })).status).toBe(404);
    expect((await pass(`sites/${siteId}`, { kind: 'server' })).status).toBe(200);
    expect(await names('/sites')).toEqual(['vitrine']);
  });

  it('never parts a site from its server or its groups, whatever else happens at the same time', async () => {
    for (const round of ['1', '2', '3', '4', '5']) {
      const clients = await group(`clients ${round}`);
      const serverId = await server(`nuage${round}`);
      const loose = [await site('libre'), await site('libre aussi')];
      await Promise.all([
        ...loose.map((id) => ask('POST', '/sites/batches/group', { ids: [id], group_id: clients, verb: 'join' })),
        pass(`groups/${clients}`),
        ...['a', 'b', 'c', 'd'].map((name) => site(name, serverId, [clients]).catch(() => undefined)),
        pass(`servers/${serverId}`),
      ]);
    }
    expect(
      await rows(
        `select s.name from sites.sites s join sites.servers v on v.id = s.server_id where v.owner_id <> s.owner_id
         union select s.name from sites.site_groups m join sites.sites s on s.id = m.site_id
           join sites.groups g on g.id = m.group_id where g.owner_id <> s.owner_id`,
      ),
    ).toEqual([]);
  });

  it('makes a site that is put into a group meanwhile wait, and refuses it then', async () => {
    const [clients, loose] = [await group('clients'), await site('libre')];
    await rows('begin');
    await rows('select from sites.groups where id = $1 for update', clients);
    await rows('update sites.groups set owner_id = $2 where id = $1', clients, after?.id);
    const join = ask('POST', '/sites/batches/group', { ids: [loose], group_id: clients, verb: 'join' });
    const waits = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
    await until(async () => (await rows(waits)).length > 0);
    await rows('commit');
    expect((await join).status).toBe(404);
    expect(await rows('select from sites.site_groups where site_id = $1', loose)).toEqual([]);
  });
});
