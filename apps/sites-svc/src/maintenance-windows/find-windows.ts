import type { Input } from '@vigie/contracts/contract';
import type { listMaintenanceWindows, MaintenanceWindow } from '@vigie/contracts/maintenance-windows';
import type { EntityManager } from 'typeorm';
import { groupsAbove, groupsAboveSite } from '../groups/memberships';
import { reachesGroup, reachesSite, reachingCaller, withSharedRole } from '../owners/reach';
import { runningUntil, timesOf } from './window-times';

type Dates = 'starts_at' | 'ends_at' | 'created_at' | 'running_until' | 'next_at';
type WindowRow = Omit<MaintenanceWindow, Dates> & {
  starts_at: Date | null;
  ends_at: Date | null;
  created_at: Date;
  running_until: Date | null;
  next_at: Date | null;
};

type Filters = Input<typeof listMaintenanceWindows> & { id?: string };

/** SQL condition: the caller reaches the site or group of the window `w`. */
const isReached = () =>
  `(s.id is not null and ${reachesSite('s', '$1')} or g.id is not null and ${reachesGroup('g', '$1')})`;

/** Those that are not over, which the caller sees or which hold for the site or group of the filter; those that run now first. */
export async function findWindows(
  manager: EntityManager,
  { id, site_id: siteId, group_id: groupId, limit, offset }: Filters,
): Promise<{ items: MaintenanceWindow[]; total: number }> {
  const values: unknown[] = [reachingCaller(), limit, offset];
  const add = (value: unknown) => `$${values.push(value)}::uuid`;
  const isVisible = isReached();
  const canDelete = withSharedRole('manager', isReached);
  const conditions = [
    'coalesce(w.ends_at > now(), true)',
    ...(id === undefined ? [] : [`w.id = ${add(id)}`]),
    ...(siteId === undefined ? [] : [ofSite(add(siteId))]),
    ...(groupId === undefined ? [] : [`w.group_id in (${groupsAbove(`select ${add(groupId)}`)})`]),
    ...(siteId === undefined && groupId === undefined ? [isVisible] : []),
  ];
  const rows: (WindowRow & { total: number })[] = await manager.query(
    `with found as materialized (
       select w.id, case when ${isVisible} then w.site_id end as site_id, case when ${isVisible} then w.group_id end as group_id,
         case when ${isVisible} then coalesce(s.name, g.name) end as target_name, w.starts_at, w.ends_at, w.weekdays,
         to_char(w.at, 'HH24:MI') as at, w.minutes, w.time_zone, w.created_at,
         case when ${isVisible} then w.note end as note, case when ${isVisible} then w.created_by end as created_by,
         ${runningUntil('w', 'now()')} as running_until,
         (select min(t.starts_at) from ${timesOf('w', 'now()')} t where t.starts_at > now()) as next_at,
         coalesce(${canDelete}, false) as can_delete
       from maintenance_windows w left join sites s on s.id = w.site_id left join groups g on g.id = w.group_id
       where ${conditions.join(' and ')})
     select c.total, page.* from (select count(*)::int as total from found) c left join (
       select * from found order by running_until is null, coalesce(running_until, next_at), id limit $2 offset $3) page on true
     order by page.running_until is null, coalesce(page.running_until, page.next_at), page.id`,
    values,
  );
  return { items: rows.filter(({ id: found }) => found !== null).map(toWindow), total: rows[0]?.total ?? 0 };
}

/** SQL: the window is of this site, or of a group that the site is in or below. */
const ofSite = (site: string) => `(w.site_id = ${site} or w.group_id in (${groupsAboveSite(site)}))`;

const toWindow = (row: WindowRow): MaintenanceWindow => ({
  ...row,
  starts_at: row.starts_at?.toISOString() ?? null,
  ends_at: row.ends_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  running_until: row.running_until?.toISOString() ?? null,
  next_at: row.next_at?.toISOString() ?? null,
});
