import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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
});
afterAll(() => product?.stop());
beforeEach(() => emptyTables(product.database, 'sites.groups', 'sites.sites', 'sites.servers', 'sites.jobs'));

const ask = (method: string, path: string, body?: unknown, token = before?.token ?? root) =>
  product.request(method, `/api${path}`, { token, ...(body !== undefined && { body }) });
const pass = (path: string) =>
  product.request('PUT', `/api/${path}/owner`, {
    token: root,
    headers: { 'x-admin-mode': '1' },
    body: { user_id: after?.id },
  });
const rows = async (sql: string, ...values: unknown[]) => (await product.database.query(sql, values)).rows as Body[];
const idOf = ({ body, text }: { body: Body; text: string }) => {
  if (typeof body['id'] !== 'string') throw new Error(text);
  return body['id'];
};
const group = async (name: string) => idOf(await ask('POST', '/groups', { name }));
const server = async (name: string, token = before?.token ?? root) =>
  (await addServer(product, token, { name, host: `${name}.exemple.fr` })).id;
const site = async (name: string, serverId?: string, groups: string[] = []) => {
  const own = { host: 'web.exemple.fr', user: 'www', wp_path: '/srv/www', auth: { password: 'x' } };
  const ssh = serverId === undefined ? own : { server_id: serverId, wp_path: `/srv/${name}` };
  return idOf(await ask('POST', '/sites', { name, url: 'https://exemple.fr', groups, connection: { ssh } }));
};
const addJob = async (siteId: string, batchId: string | null = null) => {
  const [job] = await rows(
    `insert into sites.jobs (id, kind, owner_id, actor_id, site_id, site_name, batch_id, queue, lane, is_exclusive,
       is_heavy, input, state, finished_at, is_batch)
     select gen_random_uuid(), 'backups.create', owner_id, owner_id, id, name, $2, 'site-ops', '', false, false, '{}',
       'failed', now(), false
     from sites.sites where id = $1 returning id`,
    siteId,
    batchId,
  );
  return String(job?.['id']);
};

const waits = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';

/** Does this while a row is locked, and commits it once the request waits for the row. */
async function whileWaiting<T>(
  lock: readonly [table: string, column: string, id: string | undefined],
  request: () => Promise<T>,
  change: () => Promise<unknown>,
): Promise<T> {
  const [table, column, id] = lock;
  await rows('begin');
  await rows(`select from sites.${table} where ${column} = $1 for update`, id);
  const answer = request();
  await until(async () => (await rows(waits)).length > 0);
  await change();
  await rows('commit');
  return answer;
}
const give = (table: string, column: string, id: string) =>
  rows(`update sites.${table} set owner_id = $2 where ${column} = $1`, id, after?.id);
const ownerOf = async (table: string, id: string) =>
  (await rows(`select owner_id from sites.${table} where id = $1`, id))[0]?.['owner_id'];

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
  const join = await whileWaiting(
    ['groups', 'id', clients],
    () => ask('POST', '/sites/batches/group', { ids: [loose], group_id: clients, verb: 'join' }),
    () => give('groups', 'id', clients),
  );
  expect(join.status).toBe(404);
  expect(await rows('select from sites.site_groups where site_id = $1', loose)).toEqual([]);
});

it('shares nothing that passes on meanwhile', async () => {
  const id = await site('vitrine');
  const grant = await whileWaiting(
    ['sites', 'id', id],
    () => ask('POST', '/grants', { site_id: id, user_id: after?.id, role: 'manager' }),
    () => give('sites', 'id', id),
  );
  expect(grant.status).toBe(404);
  expect(await rows('select from sites.grants')).toEqual([]);
});

it('retries and cancels no job that passes on meanwhile', async () => {
  for (const verb of ['retry', 'cancel']) {
    const job = await addJob(await site('vitrine'));
    if (verb === 'cancel') await rows("update sites.jobs set state = 'running', finished_at = null where id = $1", job);
    const answer = await whileWaiting(
      ['jobs', 'id', job],
      () => ask('POST', `/jobs/${job}/${verb}`),
      () => give('jobs', 'id', job),
    );
    expect(answer.status).toBe(404);
    expect(await rows('select from sites.jobs where retry_of = $1 or cancel_asked_at is not null', job)).toEqual([]);
  }
});

it('retries of a batch only what is still its owner’s', async () => {
  const id = await site('vitrine');
  const [created] = await rows(
    `insert into sites.jobs (id, kind, owner_id, actor_id, is_batch, queue, lane, is_exclusive, is_heavy, input, state, finished_at)
     values (gen_random_uuid(), 'backups.create', $1, $1, true, 'site-ops', '', false, false, '{}', 'failed', now()) returning id`,
    before?.id,
  );
  const batch = String(created?.['id']);
  await addJob(id, batch);
  const answer = await whileWaiting(
    ['sites', 'id', id],
    () => ask('POST', `/jobs/${batch}/retry`),
    async () => {
      await give('sites', 'id', id);
      await give('jobs', 'site_id', id);
    },
  );
  expect(answer.status).toBe(404);
  expect(await rows('select from sites.jobs where site_id = $1 and owner_id = $2', id, before?.id)).toEqual([]);
});

it('refuses a new owner who is deleted meanwhile', async () => {
  const [id, late] = [await site('vitrine'), await addUser(product, root)];
  const [{ id: heir } = {}] = await rows("select id from auth.users where role = 'admin' limit 1");
  const body = { user_id: late.id };
  // Makes the person known.
  await ask('POST', '/groups', { name: 'à lui' }, late.token);
  const answer = await whileWaiting(
    ['owners', 'user_id', late.id],
    () => product.request('PUT', `/api/sites/${id}/owner`, { token: root, headers: { 'x-admin-mode': '1' }, body }),
    () => rows('update sites.owners set heir_id = $2 where user_id = $1', late.id, heir),
  );
  expect(answer.status).toBe(404);
  expect(await ownerOf('sites', id)).toBe(before?.id);
});

it('leaves with the new owner what passes on while the former one is deleted', async () => {
  const former = await addUser(product, root);
  const id = await server('nuage', former.token);
  // The deletion is read from the outbox, then waits: a transaction that is open before would hold back the outbox.
  await rows(`create function sites.wait_here() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock_shared(7); return new; end'`);
  await rows(
    'create trigger wait_here before insert or update on sites.owners for each row execute function sites.wait_here()',
  );
  await rows('select pg_advisory_lock(7)');
  try {
    await product.request('DELETE', `/api/admin/users/${former.id}`, { token: root });
    await until(async () => (await rows(waits)).length > 0);
    await whileWaiting(
      ['servers', 'id', id],
      () => rows('select pg_advisory_unlock(7)'),
      () => give('servers', 'id', id),
    );
  } finally {
    await rows('select pg_advisory_unlock_all()');
    await rows('drop function sites.wait_here cascade');
  }
  const isOver = 'select from sites.owners where user_id = $1 and heir_id is not null';
  await until(async () => (await rows(isOver, former.id)).length > 0);
  expect(await ownerOf('servers', id)).toBe(after?.id);
});
