import { AppError } from '@vigie/contracts/errors';
import { maxGroups, tooManyGroups } from '@vigie/contracts/groups';
import type { EntityManager } from 'typeorm';
import { groupsBelow } from '../owners/narrowing';
import { ownerFilter } from '../owners/owner-filter';
import { reachesGroup, reachingCaller } from '../owners/reach';
import { visitSoon } from '../sweeps/schedule';

const tables = { sites: ['site_groups', 'site_id'], servers: ['server_groups', 'server_id'] } as const;
type Kind = keyof typeof tables;

/** Maps only targets that are in a group. */
export async function groupsOf(
  manager: EntityManager,
  kind: Kind,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const [table, member] = tables[kind];
  const rows: { id: string; groups: string[] }[] = await manager.query(
    `select m.${member} as id, array_agg(g.id order by g.name, g.id) as groups
     from ${table} m join groups g on g.id = m.group_id where m.${member} = any($1::uuid[]) group by 1`,
    [ids],
  );
  return new Map(rows.map(({ id, groups }) => [id, groups]));
}

/** Names another owner's group only in the admin mode, in which the caller may see it. */
export async function groupRefusal(manager: EntityManager, ids: readonly string[], ownerId: string): Promise<AppError> {
  const [foreign]: { name: string }[] = await manager.query(
    `select name from groups where id = any($1::uuid[]) and owner_id <> $2 and ($3::uuid is null or owner_id = $3)
     order by name, id limit 1`,
    [ids, ownerId, ownerFilter().ownerId ?? null],
  );
  if (!foreign) return new AppError('invalid', 'Ce groupe n’existe pas ou n’existe plus.');
  return new AppError(
    'invalid',
    `Le groupe «\u00a0${foreign.name}\u00a0» appartient à quelqu’un d’autre\u00a0: n’y rangez que ce qui lui appartient.`,
  );
}

type GroupedTargets = { kind: Kind; ids: readonly string[]; ownerId: string };

export async function setGroups(
  manager: EntityManager,
  { kind, ids, ownerId }: GroupedTargets,
  groups: readonly string[],
): Promise<void> {
  const groupIds = [...new Set(groups)];
  const [table, member] = tables[kind];
  // A person who manages a site moves it among the groups that they manage, and leaves it in those that they do not.
  const isTheirs = reachesGroup('g', '$3');
  const caller = reachingCaller();
  // The lock keeps the groups from being deleted before the insert.
  const lockedGroups: unknown[] = await manager.query(
    `select id from groups g where id = any($1::uuid[]) and owner_id = $2 and ${isTheirs} for key share`,
    [groupIds, ownerId, caller],
  );
  if (lockedGroups.length < groupIds.length) throw await groupRefusal(manager, groupIds, ownerId);
  await manager.query(
    `delete from ${table} where ${member} = any($1::uuid[]) and group_id <> all($2::uuid[])
       and group_id in (select g.id from groups g where ${isTheirs})`,
    [ids, groupIds, caller],
  );
  await manager.query(
    `insert into ${table} (${member}, group_id)
     select m, g from unnest($1::uuid[]) m cross join unnest($2::uuid[]) g on conflict do nothing`,
    [ids, groupIds],
  );
  if (kind === 'sites') await visitMovedSoon(manager, ids);
}

/** Puts new sites into groups of their owner, whose tree the caller has locked, so that none is deleted meanwhile. */
export const addSitesToGroups = (manager: EntityManager, members: readonly { site_id: string; group_id: string }[]) =>
  manager.query(
    `insert into site_groups (site_id, group_id)
     select site_id, group_id from jsonb_to_recordset($1::jsonb) as r(site_id uuid, group_id uuid)
     on conflict do nothing`,
    [JSON.stringify(members)],
  );

/** Returns the sites that were not in the group before: only these appear in the feed. */
export async function joinGroup(
  manager: EntityManager,
  siteIds: readonly string[],
  groupId: string,
): Promise<string[]> {
  const rows: { site_id: string }[] = await manager.query(
    `insert into site_groups (site_id, group_id) select s, $2 from unnest($1::uuid[]) s
     on conflict do nothing returning site_id`,
    [siteIds, groupId],
  );
  const joined = rows.map(({ site_id: siteId }) => siteId);
  const overfull: { name: string }[] = await manager.query(
    `select s.name from site_groups m join sites s on s.id = m.site_id where m.site_id = any($1::uuid[])
     group by s.id having count(*) > $2 limit 1`,
    [joined, maxGroups],
  );
  if (overfull[0]) throw new AppError('invalid', `${overfull[0].name}\u00a0: ${tooManyGroups}`);
  await visitMovedSoon(manager, joined);
  return joined;
}

/** Returns the sites that were in the group. */
export async function leaveGroup(
  manager: EntityManager,
  siteIds: readonly string[],
  groupId: string,
): Promise<string[]> {
  const [rows]: [{ site_id: string }[], number] = await manager.query(
    'delete from site_groups where site_id = any($1::uuid[]) and group_id = $2 returning site_id',
    [siteIds, groupId],
  );
  const left = rows.map(({ site_id: siteId }) => siteId);
  await visitMovedSoon(manager, left);
  return left;
}

/** One statement, so that the triggers lock all memberships before they update the counts. */
export const emptyGroup = (manager: EntityManager, groupId: string) =>
  manager.query(
    'with sites as (delete from site_groups where group_id = $1) delete from server_groups where group_id = $1',
    [groupId],
  );

/** Whether any group says how often its sites are visited. */
export async function hasIntervals(manager: EntityManager): Promise<boolean> {
  const [found]: { has: boolean }[] = await manager.query(
    'select exists (select from groups where visit_minutes is not null) as has',
  );
  return found?.has ?? false;
}

const withinSeconds = 60;

/** Sites for which another interval may hold from now on are visited within a minute: a longer one has held up none. */
export const visitWithinMinute = (manager: EntityManager, ids: readonly string[]): Promise<void> =>
  visitSoon(manager, ids, withinSeconds);

/** The same for sites that follow other groups from now on, or have another address. */
export async function visitMovedSoon(manager: EntityManager, ids: readonly string[]): Promise<void> {
  if (await hasIntervals(manager)) await visitWithinMinute(manager, ids);
}

/** The sites of a group and below. */
export async function findSitesBelow(manager: EntityManager, groupId: string): Promise<string[]> {
  const sites: { id: string }[] = await manager.query(
    `select s.id from sites s where ${isInGroup('sites', 's', '$1')}`,
    [groupId],
  );
  return sites.map(({ id }) => id);
}

/** SQL condition: the row is in one of these groups or below it. */
export const isInGroupTree = (kind: Kind, row: string, groups: string): string => {
  const [table, member] = tables[kind];
  return `${row}.id in (
    ${groupsBelow(groups)} select m.${member} from ${table} m join below b on b.id = m.group_id)`;
};

/** SQL for the ids of these groups and of those above them. */
export const groupsAbove = (groups: string) => `
  with recursive above (id) as (${groups} union select p.parent_id from above a join groups p on p.id = a.id)
  select id from above`;

/** SQL for the ids of the groups that a site is in or below. */
export const groupsAboveSite = (site: string) =>
  groupsAbove(`select m.group_id from site_groups m where m.site_id = ${site}`);

/** SQL condition: the row is in the group of this parameter or below it. */
export const isInGroup = (kind: Kind, row: string, group: string) =>
  isInGroupTree(kind, row, `select cast(${group} as uuid)`);
