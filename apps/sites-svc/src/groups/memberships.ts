import { AppError } from '@vigie/contracts/errors';
import { maxGroups, tooManyGroups } from '@vigie/contracts/sites';
import type { EntityManager } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';

const tables = { sites: ['site_groups', 'site_id'], servers: ['server_groups', 'server_id'] } as const;
type Kind = keyof typeof tables;

/** Of each of them; one that is in no group is left out. */
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

/** Why not all of these take what is this owner's: in the admin mode one may be seen that is somebody else's. */
export async function unfitGroup(manager: EntityManager, ids: readonly string[], ownerId: string): Promise<AppError> {
  const [foreign]: { name: string }[] = await manager.query(
    `select name from groups where id = any($1::uuid[]) and owner_id <> $2 and ($3::uuid is null or owner_id = $3)
     order by name, id limit 1`,
    [ids, ownerId, ownerFilter().ownerId ?? null],
  );
  if (!foreign) return new AppError('invalid', 'Ce groupe n’existe pas ou n’existe plus.');
  return new AppError(
    'invalid',
    `Le groupe «\u00a0${foreign.name}\u00a0» est à quelqu’un d’autre\u00a0: seul ce qui est à cette personne s’y range.`,
  );
}

type Member = { kind: Kind; ids: readonly string[]; ownerId: string };

/** Only groups of whoever owns what is put into them. */
export async function putIntoGroups(
  manager: EntityManager,
  { kind, ids, ownerId }: Member,
  groups: readonly string[],
): Promise<void> {
  const wanted = [...new Set(groups)];
  const [table, member] = tables[kind];
  // Held, so that none of them is deleted before it is there.
  const known: unknown[] = await manager.query(
    'select id from groups where id = any($1::uuid[]) and owner_id = $2 for key share',
    [wanted, ownerId],
  );
  if (known.length < wanted.length) throw await unfitGroup(manager, wanted, ownerId);
  await manager.query(`delete from ${table} where ${member} = any($1::uuid[]) and group_id <> all($2::uuid[])`, [
    ids,
    wanted,
  ]);
  await manager.query(
    `insert into ${table} (${member}, group_id)
     select m, g from unnest($1::uuid[]) m cross join unnest($2::uuid[]) g on conflict do nothing`,
    [ids, wanted],
  );
}

/** Puts sites into a group; answers which were not in it before, since only of these the feed tells. */
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
  const joined = rows.map(({ site_id: id }) => id);
  const full: { name: string }[] = await manager.query(
    `select s.name from site_groups m join sites s on s.id = m.site_id where m.site_id = any($1::uuid[])
     group by s.id having count(*) > $2 limit 1`,
    [joined, maxGroups],
  );
  if (full[0]) throw new AppError('invalid', `${full[0].name}\u00a0: ${tooManyGroups}`);
  return joined;
}

/** Takes sites out of a group; answers which were in it. */
export async function leaveGroup(
  manager: EntityManager,
  siteIds: readonly string[],
  groupId: string,
): Promise<string[]> {
  const [rows]: [{ site_id: string }[], number] = await manager.query(
    'delete from site_groups where site_id = any($1::uuid[]) and group_id = $2 returning site_id',
    [siteIds, groupId],
  );
  return rows.map(({ site_id: id }) => id);
}

/** All that is in it leaves by one statement: what it counts comes when it holds all of them. */
export const emptyGroup = (manager: EntityManager, groupId: string) =>
  manager.query(
    'with sites as (delete from site_groups where group_id = $1) delete from server_groups where group_id = $1',
    [groupId],
  );

/** A condition: in one of these groups or in one below it. */
const isBelow = (kind: Kind, row: string, groups: string): string => {
  const [table, member] = tables[kind];
  return `${row}.id in (
    with recursive below (id) as (
      ${groups} union select g.id from groups g join below b on g.parent_id = b.id)
    select m.${member} from ${table} m join below b on b.id = m.group_id)`;
};

/** A condition: in the group that `group` stands for, or in one below it. */
export const isInGroup = (kind: Kind, row: string, group = ':groupId') =>
  isBelow(kind, row, `select cast(${group} as uuid)`);

/** The same for those that are called as the parameter of this name says. */
export const isInNamedGroup = (kind: Kind, row: string, name: string) =>
  isBelow(kind, row, `select n.id from groups n where lower(n.name) = lower(:${name})`);
