import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';

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
  if (known.length < wanted.length) {
    throw new AppError('invalid', 'Ce groupe n’existe pas ou n’existe plus.');
  }
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

/** A condition: in the group that `group` stands for, or in one below it. */
export const isInGroup = (kind: Kind, row: string, group = ':groupId'): string => {
  const [table, member] = tables[kind];
  return `${row}.id in (
    with recursive below (id) as (
      select cast(${group} as uuid) union select g.id from groups g join below b on g.parent_id = b.id)
    select m.${member} from ${table} m join below b on b.id = m.group_id)`;
};
