import { AppError } from '@vigie/contracts/errors';
import type { OutboxEvent } from '@vigie/contracts/outbox';
import type { Role } from '@vigie/contracts/users';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';

type EventOf<K extends OutboxEvent['kind']> = Extract<OutboxEvent, { kind: K }>;

/**
 * Registers the caller as an owner, and refuses a deleted user: a session may outlive its user by seconds, and what it
 * creates then would belong to nobody.
 */
export async function lockOwner(manager: EntityManager): Promise<string> {
  const { sub, role } = currentUser();
  if (await lockUsers(manager, [{ id: sub, role }])) return sub;
  throw new AppError('unauthorized', 'Votre session a expiré. Veuillez vous reconnecter.');
}

/** Keeps users from being deleted until the transaction ends. False where one was deleted already. */
export async function lockUsers(
  manager: EntityManager,
  users: readonly { id: string; role: Role }[],
): Promise<boolean> {
  const ids = users.map(({ id }) => id).toSorted();
  // A stored role comes from auth-svc, and is newer than what a session or an answer says.
  await manager.query(
    `insert into owners (user_id, is_admin) select u, u = any($2::uuid[]) from unnest($1::uuid[]) u on conflict do nothing`,
    [ids, users.filter(({ role }) => role === 'admin').map(({ id }) => id)],
  );
  // Materialized: the condition must not reach the inner query, which would then lock nobody.
  const deleted: unknown[] = await manager.query(
    `with locked as materialized (
       select heir_id from owners where user_id = any($1::uuid[]) order by user_id for share)
     select from locked where heir_id is not null`,
    [ids],
  );
  return deleted.length === 0;
}

/** Only an administrator's servers and sites may have private addresses. */
export async function isAdministrator(manager: EntityManager, userId: string): Promise<boolean> {
  const [owner]: { is_admin: boolean }[] = await manager.query('select is_admin from owners where user_id = $1', [
    userId,
  ]);
  return owner?.is_admin ?? false;
}

export async function administratorsAmong(manager: EntityManager, userIds: readonly string[]): Promise<Set<string>> {
  const admins: { user_id: string }[] = await manager.query(
    'select user_id from owners where is_admin and user_id = any($1::uuid[])',
    [[...new Set(userIds)]],
  );
  return new Set(admins.map(({ user_id: id }) => id));
}

export async function saveRole(
  manager: EntityManager,
  { user_id: id, role }: EventOf<'user_role_changed'>,
): Promise<void> {
  await manager.query(
    'insert into owners (user_id, is_admin) values ($1, $2) on conflict (user_id) do update set is_admin = excluded.is_admin',
    [id, role === 'admin'],
  );
}

/** The administrator who deletes a user inherits what he had. */
export async function transferOwnership(
  manager: EntityManager,
  { user_id: id, heir_id: namedHeir }: EventOf<'user_deleted'>,
): Promise<void> {
  const heir = await lastHeir(manager, namedHeir);
  await manager.query(
    'insert into owners (user_id, is_admin, heir_id) values ($1, false, $2) on conflict (user_id) do update set heir_id = excluded.heir_id, is_admin = false',
    [id, heir],
  );
  await manager.query('insert into owners (user_id, is_admin) values ($1, true) on conflict do nothing', [heir]);
  for (const table of ['backup_links', 'plugin_refreshes', 'site_views', 'grants', 'team_members', 'proposals']) {
    await manager.query(`delete from ${table} where user_id = $1`, [id]);
  }
  const locked = (table: string) => lockRowsOf(manager, table, id);
  await passRows(manager, 'servers', await locked('servers'), heir);
  // Sites and jobs before backups, in the order in which saving a backup locks them.
  const siteIds = await locked('sites');
  for (const table of ['groups', 'jobs', 'uploads', 'local_backups'] as const) {
    const ids = await locked(table);
    if (table === 'uploads') await renameDuplicateUploads(manager, ids, heir);
    if (table === 'local_backups') await renameDuplicateBackups(manager, ids, heir);
    await passRows(manager, table, ids, heir);
  }
  await passSites(manager, siteIds, heir);
  await manager.query(
    `delete from grants where user_id = $1 and (site_id in (select id from sites where owner_id = $1)
       or group_id in (select id from groups where owner_id = $1))`,
    [heir],
  );
  // Last, since an alert that is being planned waits for it.
  await manager.query('delete from channels where owner_id = $1', [id]);
}

const firstId = '00000000-0000-0000-0000-000000000000';

/** Locks the rows of an owner, so that none passes to somebody else meanwhile. */
async function lockRowsOf(manager: EntityManager, table: string, ownerId: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const rows: { id: string }[] = await manager.query(
      `select id from ${table} where owner_id = $1 and id > $2 order by id limit ${maxLocked} for no key update`,
      [ownerId, ids.at(-1) ?? firstId],
    );
    ids.push(...rows.map(({ id }) => id));
    if (rows.length === 0) return ids;
  }
}

/** In chunks: one statement for a long ledger would time out, and block every later outbox event. */
const [maxLocked, maxRows, maxSites] = [10_000, 1_000, 100];

/** Gives sites to another owner, last: triggers move their extensions, and lock the totals of all owners until the end. */
export const passSites = (manager: EntityManager, ids: readonly string[], ownerId: string): Promise<void> =>
  passRows(manager, 'sites', ids, ownerId, maxSites);

/** Gives rows that the transaction has locked to another owner. */
export async function passRows(
  manager: EntityManager,
  table: string,
  ids: readonly string[],
  ownerId: string,
  count = maxRows,
): Promise<void> {
  for (let at = 0; at < ids.length; at += count) {
    await manager.query(`update ${table} set owner_id = $2 where id = any($1::uuid[])`, [
      ids.slice(at, at + count),
      ownerId,
    ]);
  }
}

/** Gives these uploads other names where their next owner has one of the same name, or would get two. */
export async function renameDuplicateUploads(
  manager: EntityManager,
  ids: readonly string[],
  ownerId: string,
): Promise<void> {
  await manager.query(
    `update uploads u set filename = regexp_replace(filename, '[.]zip$', ' (' || right(id::text, 8) || ').zip', 'i')
     where id = any($1::uuid[]) and exists (select from uploads o where o.type = u.type and o.filename = u.filename
       and (o.owner_id = $2 or o.id = any($1::uuid[]) and o.id < u.id))`,
    [ids, ownerId],
  );
}

/** Gives these archives other names where their next owner has one of the same name, or would get two. */
export async function renameDuplicateBackups(
  manager: EntityManager,
  ids: readonly string[],
  ownerId: string,
): Promise<void> {
  await manager.query(
    `update local_backups b
     set filename = left(regexp_replace(filename, '[.]wpress$', ''), 180) || '-' || right(id::text, 8) || '.wpress'
     where id = any($1::uuid[]) and exists (select from local_backups o where o.filename = b.filename
       and (o.owner_id = $2 or o.id = any($1::uuid[]) and o.id < b.id))`,
    [ids, ownerId],
  );
}

/** The heir may have been deleted too: overlapping deletions arrive in either order. */
async function lastHeir(manager: EntityManager, namedHeir: string): Promise<string> {
  const [last]: { heir: string }[] = await manager.query(
    `with recursive chain (heir, depth) as (
       select $1::uuid, 0
       union all
       select o.heir_id, depth + 1 from chain join owners o on o.user_id = chain.heir
       where o.heir_id is not null and depth < 100)
     select heir from chain order by depth desc limit 1`,
    [namedHeir],
  );
  return last?.heir ?? namedHeir;
}
