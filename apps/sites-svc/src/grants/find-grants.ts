import type { Input } from '@vigie/contracts/contract';
import type { Grant, listGrants } from '@vigie/contracts/grants';
import type { EntityManager } from 'typeorm';
import { groupsAbove, groupsAboveSite } from '../groups/memberships';
import { reachesGroup, reachesSite, reachingCaller } from '../owners/reach';

export type GrantRow = Omit<Grant, 'name' | 'email' | 'created_at'> & { team_name: string | null; created_at: Date };

type Filters = Input<typeof listGrants> & { id?: string | undefined };

/** SQL: the grant is of this site, or of a group that the site is in or below. */
const ofSite = (site: string) => `(g.site_id = ${site} or g.group_id in (${groupsAboveSite(site)}))`;

/** The grants of what the caller owns or manages, the newest first. */
export async function findGrants(
  manager: EntityManager,
  { id, site_id: siteId, group_id: groupId, user_id: userId, team_id: teamId, limit, offset }: Filters,
): Promise<{ rows: GrantRow[]; total: number }> {
  const values: unknown[] = [reachingCaller(), limit, offset];
  const add = (value: unknown) => `$${values.push(value)}`;
  const columns = { id, user_id: userId, team_id: teamId };
  const conditions = [
    `(s.id is not null and ${reachesSite('s', '$1')} or p.id is not null and ${reachesGroup('p', '$1')})`,
    ...Object.entries(columns).flatMap(([column, value]) =>
      value === undefined ? [] : [`g.${column} = ${add(value)}`],
    ),
    ...(siteId === undefined ? [] : [ofSite(`${add(siteId)}::uuid`)]),
    ...(groupId === undefined ? [] : [`g.group_id in (${groupsAbove(`select ${add(groupId)}::uuid`)})`]),
  ];
  const rows: (GrantRow & { total: number })[] = await manager.query(
    `with found as materialized (
       select g.id, g.site_id, g.group_id, coalesce(s.name, p.name) as target_name, g.user_id, g.team_id, g.role, g.shared_by,
         g.created_at, t.name as team_name
       from grants g left join sites s on s.id = g.site_id left join groups p on p.id = g.group_id
         left join teams t on t.id = g.team_id
       where ${conditions.join(' and ')})
     select c.total, page.* from (select count(*)::int as total from found) c
       left join (select * from found order by created_at desc, id limit $2 offset $3) page on true
     order by page.created_at desc, page.id`,
    values,
  );
  return {
    rows: rows.filter(({ id: found }) => found !== null),
    total: rows[0]?.total ?? 0,
  };
}
