import type { EntityManager } from 'typeorm';
import { groupsAboveSite } from '../groups/memberships';
import { runningUntil } from './window-times';

/** Those of these sites that are in maintenance now, on their own or with a group above. */
export async function findSitesInMaintenance(manager: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const rows: { id: string }[] = await manager.query(
    `with recursive above (site_id, group_id) as (
       select m.site_id, m.group_id from site_groups m where m.site_id = any($1::uuid[])
       union
       select a.site_id, g.parent_id from above a join groups g on g.id = a.group_id where g.parent_id is not null),
     running as materialized (
       select w.site_id, w.group_id from maintenance_windows w
       where (w.site_id = any($1::uuid[]) or w.group_id in (select group_id from above))
         and ${runningUntil('w', 'now()')} is not null)
     select site_id as id from running where site_id is not null
     union
     select a.site_id from above a join running r on r.group_id = a.group_id`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** When the maintenance of this site that runs now ends, the last one where there are several. */
export async function findMaintenanceEnd(manager: EntityManager, siteId: string): Promise<Date | null> {
  const [end]: { until: Date | null }[] = await manager.query(
    `select max(${runningUntil('w', 'now()')}) as until from maintenance_windows w
     where w.site_id = $1::uuid or w.group_id in (${groupsAboveSite('$1::uuid')})`,
    [siteId],
  );
  return end?.until ?? null;
}
