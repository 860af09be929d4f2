import { AppError } from '@vigie/contracts/errors';
import { writeOutboxEvents } from '@vigie/service-kit/outbox';
import type { EntityManager } from 'typeorm';
import { recordInAudit, recordInFeed } from '../activity/audit-events';
import { lockGroupTree } from '../groups/group.entity';
import { hasIntervals, visitWithinMinute } from '../groups/memberships';
import { lockUploadQuota, requireRoomFor } from '../uploads/upload-room';
import { lockUsers, passRows, passSites, renameDuplicateBackups, renameDuplicateUploads } from '../owners/owners';
import { findPassingOn, idsOf, type Named, type PassingOn, type Row } from './passing-on';
import { type KnownUser, unknownPerson } from '../owners/people';
import { lockOwnUploads } from './own-uploads';

type Choices = { with_backups: boolean; with_uploads: boolean };
/** `owners` has the names of those whom the caller saw to own what is named. */
type Change = Named & Choices & { user: KnownUser; owners: ReadonlyMap<string, string>; expected?: Counts | undefined };
type Counts = Record<'sites' | 'servers' | 'groups', number>;

/** Passes what is named to another owner, in the transaction of `manager`. */
export async function passOn(manager: EntityManager, change: Change): Promise<PassingOn> {
  const { user } = change;
  if (!(await lockUsers(manager, [user]))) throw unknownPerson();
  const passing = await lockPassingOn(manager, change);
  if (passing.roots.length === 0) return passing;
  refuseUnexpected(passing, change);
  await dropTies(manager, passing, user.id);
  await dropWatch(manager, passing);
  await passUploads(manager, passing, change);
  for (const table of ['servers', 'groups'] as const) await passRows(manager, table, idsOf(passing[table]), user.id);
  await passJobs(manager, passing, user.id);
  await passBackups(manager, passing, change);
  await record(manager, passing, change);
  await passSites(manager, idsOf(passing.sites), user.id);
  return passing;
}

/** Locks in the order of other transactions: jobs, groups, servers, sites. */
async function lockPassingOn(manager: EntityManager, named: Named): Promise<PassingOn> {
  const found = await findPassingOn(manager, named);
  const [siteIds, serverIds] = [idsOf(found.sites), idsOf(found.servers)];
  await lockJobsOf(manager, siteIds, serverIds);
  for (const ownerId of new Set(found.groups.map((group) => group.ownerId)).add(named.userId)) {
    if (found.groups.length > 0) await lockGroupTree(manager, ownerId);
  }
  for (const table of ['groups', 'servers', 'sites'] as const) {
    await manager.query(`select from ${table} where id = any($1::uuid[]) order by id for update`, [
      idsOf(found[table]),
    ]);
  }
  const locked = await findPassingOn(manager, named);
  // Somebody may have put another site on the server, or another group below this one, before the locks.
  if (JSON.stringify(locked) !== JSON.stringify(found)) throw changedMeanwhile();
  return locked;
}

/** Locks batches before their jobs, as `lockJobs` does, but of a whole history. */
async function lockJobsOf(manager: EntityManager, siteIds: readonly string[], serverIds: readonly string[]) {
  const ofThem = 'site_id = any($1::uuid[]) or server_id = any($2::uuid[])';
  for (const rows of [`id in (select batch_id from jobs where ${ofThem})`, ofThem]) {
    await manager.query(`select from jobs where ${rows} order by id for no key update`, [siteIds, serverIds]);
  }
}

/** What the administrator has read, and agreed to, is no longer so. */
function refuseUnexpected({ roots, sites, servers, groups }: PassingOn, { owners, expected }: Change): void {
  if (roots.some(({ ownerId }) => !owners.has(ownerId))) throw changedMeanwhile();
  if (!expected) return;
  const isSame =
    expected.sites === sites.length && expected.servers === servers.length && expected.groups === groups.length;
  if (!isSame) throw changedMeanwhile();
}

const changedMeanwhile = () =>
  new AppError('conflict', 'Ce que vous confiez vient d’être modifié ailleurs. Rechargez la page, puis recommencez.');

/** Sites and servers leave the groups that stay, and a group leaves the one above it. */
async function dropTies(manager: EntityManager, { sites, servers, groups }: PassingOn, userId: string): Promise<void> {
  const values = [idsOf(sites), idsOf(servers), idsOf(groups)];
  await manager.query(
    `with sites as (delete from site_groups where site_id = any($1::uuid[]) and group_id <> all($3::uuid[]))
     delete from server_groups where server_id = any($2::uuid[]) and group_id <> all($3::uuid[])`,
    values,
  );
  await manager.query(
    'update groups set parent_id = null where id = any($1::uuid[]) and parent_id <> all($1::uuid[])',
    [values[2]],
  );
  await manager.query(
    'delete from grants where user_id = $3 and (site_id = any($1::uuid[]) or group_id = any($2::uuid[]))',
    [values[0], values[2], userId],
  );
}

/** Who gives sites away decides no longer how often they are visited, and when their failures count for nothing. */
async function dropWatch(manager: EntityManager, { sites, groups }: PassingOn): Promise<void> {
  if (await hasIntervals(manager)) await visitWithinMinute(manager, idsOf(sites));
  await manager.query('update groups set visit_minutes = null where id = any($1::uuid[])', [idsOf(groups)]);
  await manager.query('delete from maintenance_windows where site_id = any($1::uuid[]) or group_id = any($2::uuid[])', [
    idsOf(sites),
    idsOf(groups),
  ]);
}

/**
 * A batch whose jobs all pass on passes on too; one that is divided is shared from now on. Commands stay: their text and
 * output may say more than the site does. Those that run are stopped.
 */
async function passJobs(manager: EntityManager, { sites, servers }: PassingOn, userId: string): Promise<void> {
  await manager.query(
    `update jobs set cancel_asked_at = coalesce(cancel_asked_at, now()), not_before = least(not_before, now())
     where site_id = any($1::uuid[]) and kind = 'commands.run' and state = 'running'`,
    [idsOf(sites)],
  );
  const jobs: { id: string; batch_id: string | null }[] = await manager.query(
    `select id, batch_id from jobs where (site_id = any($1::uuid[]) or server_id = any($2::uuid[]))
       and kind <> 'commands.run' order by id`,
    [idsOf(sites), idsOf(servers)],
  );
  await passRows(
    manager,
    'jobs',
    jobs.map(({ id }) => id),
    userId,
  );
  const batchIds = [...new Set(jobs.flatMap(({ batch_id: batchId }) => batchId ?? []))];
  await manager.query(
    `update jobs b set is_shared = parts.is_divided, owner_id = case when parts.is_divided then b.owner_id else $2 end
     from (select batch_id, bool_or(owner_id <> $2) as is_divided from jobs where batch_id = any($1::uuid[]) group by 1) parts
     where b.id = parts.batch_id and (not b.is_shared or not parts.is_divided)`,
    [batchIds, userId],
  );
}

/** Archives that stay belong to no site any more, like those of a deleted site, but without an end. */
async function passBackups(manager: EntityManager, { sites }: PassingOn, { user, ...choices }: Change): Promise<void> {
  const rows: { id: string }[] = await manager.query(
    'select id from local_backups where site_id = any($1::uuid[]) order by id for update',
    [idsOf(sites)],
  );
  const ids = rows.map(({ id }) => id);
  if (!choices.with_backups) {
    await manager.query('update local_backups set site_id = null where id = any($1::uuid[])', [ids]);
    return;
  }
  await renameDuplicateBackups(manager, ids, user.id);
  await passRows(manager, 'local_backups', ids, user.id);
}

async function passUploads(manager: EntityManager, passing: PassingOn, { user, ...choices }: Change): Promise<void> {
  if (!choices.with_uploads) return;
  await lockUploadQuota(manager, user.id);
  const ids = await lockOwnUploads(manager, passing);
  if (ids.length === 0) return;
  await requireRoomFor(manager, user, ids);
  await renameDuplicateUploads(manager, ids, user.id);
  await passRows(manager, 'uploads', ids, user.id);
}

/** Both owners read in their feed of what was named; the audit tells of all that went along. */
async function record(manager: EntityManager, passing: PassingOn, { kind, user, owners }: Change): Promise<void> {
  const { roots, sites, servers, groups } = passing;
  const type = 'owner_change';
  const detailsOf = ({ ownerId }: Row) => ({
    from: owners.get(ownerId),
    to: user.name,
    from_id: ownerId,
    to_id: user.id,
  });
  const lines = roots.flatMap((root) =>
    [root.ownerId, user.id].map(
      (ownerId) => ({ type, [kind]: { ...root, ownerId }, details: detailsOf(root) }) as const,
    ),
  );
  await recordInFeed(manager, lines);
  await recordInAudit(
    manager,
    [...groups, ...servers, ...sites].map((row) => {
      return { action: type, target: row.name, targetId: row.id, details: detailsOf(row) };
    }),
  );
  await writeOutboxEvents(
    manager,
    sites.map(({ id }) => ({ kind: 'site_owner_changed', site_id: id, owner_id: user.id })),
  );
}
