import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyTables } from '@vigie/testing/database';
import { addServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';

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
      details: { from: 'Anne Le Goff', to: 'Zoé Le Goff', from_id: before?.id, to_id: after?.id },
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
    const restore = await addJob(alone);
    await rows(
      `update sites.jobs set kind = 'backups.restore', state = 'failed',
         input = (select jsonb_build_object('object', jsonb_build_object('key', object_key)) from sites.local_backups where site_id = $2)
       where id = $1`,
      restore,
      alone,
    );
    await pass(`sites/${alone}`, { with_backups: false });
    expect((await ask('POST', `/jobs/${restore}/retry`, undefined, after)).status).toBe(404);
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

  it('takes along the packages whose plugins no other site has, when asked to', async () => {
    const [gone, kept] = [await site('parti'), await site('gardé')];
    for (const [slug, ids] of [
      ['ici', [gone]],
      ['partout', [gone, kept]],
      ['ailleurs', [kept]],
      ['nulle-part', []],
    ] as const) {
      await rows(
        `insert into sites.uploads (id, owner_id, type, filename, slug, name, size, sha256, object_key, created_at)
         values (gen_random_uuid(), $1, 'plugin', $2, $2, 'X', 1, '', $2, now())`,
        before?.id,
        slug,
      );
      for (const id of ids)
        await rows(
          `insert into sites.site_extensions (site_id, type, slug, kind, name, status, is_network_active, has_update)
             values ($1, 'plugin', $2, 'regular', 'X', 'active', false, false)`,
          id,
          slug,
        );
    }
    expect((await plan('site', [gone])).body).toMatchObject({ uploads: 1 });
    await pass(`sites/${gone}`, { with_uploads: true });
    expect(await rows('select slug from sites.uploads where owner_id = $1', after?.id)).toEqual([{ slug: 'ici' }]);
  });

  it('leaves a package with its owner, whom the new owner cannot make install it by an old job', async () => {
    const gone = await site('parti');
    await rows(
      `insert into sites.uploads (id, owner_id, type, filename, slug, name, size, sha256, object_key, created_at)
       values (gen_random_uuid(), $1, 'plugin', 'payé.zip', 'payé', 'X', 1, '', 'clé', now())`,
      before?.id,
    );
    const id = await addJob(gone);
    const input = {
      site: { id: gone, version: 1, path: '/srv', url: 'https://exemple.fr', php: null },
      item: { kind: 'plugin', slug: 'payé', name: 'X' },
      package: { key: 'clé', sha256: '', size: 1, filename: 'payé.zip', unpacked: null },
    };
    await rows("update sites.jobs set kind = 'changes.install', state = 'failed', input = $2 where id = $1", id, input);
    await pass(`sites/${gone}`);
    const refusal = { status: 409, body: { detail: expect.stringContaining('payé.zip est à quelqu’un d’autre') } };
    expect(await ask('POST', `/jobs/${id}/retry`, undefined, after)).toMatchObject(refusal);
  });

  it('passes with those of another owner, whose archives have the same names', async () => {
    const [one, other] = [await site('un'), await site('deux')];
    await rows('update sites.sites set owner_id = $2 where id = $1', other, (await addUser(product, root)).id);
    await addBackup(before, one);
    const [{ owner_id: otherOwner } = {}] = await rows('select owner_id from sites.sites where id = $1', other);
    await rows(
      `insert into sites.local_backups (id, owner_id, site_id, site_name, filename, size, sha256, object_key, made_at)
       select gen_random_uuid(), $1, $2, site_name, filename, size, sha256, 'autre', made_at from sites.local_backups`,
      otherOwner,
      other,
    );
    const body = { ids: [one, other], user_id: after?.id };
    expect((await asAdmin('POST', '/sites/batches/owner', body)).body).toMatchObject({ sites: 2 });
    expect(await rows('select filename from sites.local_backups where owner_id = $1', after?.id)).toHaveLength(2);
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

  it('leaves how often its sites are visited and their maintenance to its new owner', async () => {
    const clients = await group('clients');
    const siteId = await site('vitrine', undefined, [clients]);
    await ask('PUT', `/groups/${clients}`, { visit_minutes: 60 });
    const ends = new Date(Date.now() + 3_600_000).toISOString();
    for (const target of [{ group_id: clients }, { site_id: siteId }])
      expect((await ask('POST', '/maintenance-windows', { ...target, ends_at: ends })).status).toBe(201);
    expect((await pass(`groups/${clients}`)).status).toBe(200);
    expect(await list('/groups')).toMatchObject([{ visit_minutes: null }]);
    expect(await list('/maintenance-windows')).toEqual([]);
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
  it('does nothing where something else would pass than the plan said', async () => {
    const serverId = await server('nuage');
    const expected = { sites: 0, servers: 1, groups: 0 };
    await site('arrivé entre-temps', serverId);
    expect((await pass(`servers/${serverId}`, { expected })).status).toBe(409);
    expect(await names('/servers')).toEqual([]);
    expect((await pass(`servers/${serverId}`, { expected: { ...expected, sites: 1 } })).status).toBe(200);
    const audit = await rows(
      "select target from sites.audit_lines where action = 'owner_change' order by id desc limit 2",
    );
    expect(audit.map(({ target }) => target)).toEqual(['arrivé entre-temps', 'nuage']);
  });

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
});
