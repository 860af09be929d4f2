import type { EntityManager } from 'typeorm';
import { checkSeconds } from './schedule';

/**
 * SQL for the seconds between two visits of a site: the nearest group above it that says how often decides, and of several as
 * near the one that visits most often. Where no group says anything, nothing is read for the site.
 */
export const visitSeconds = (site: string, usual: string): string => `coalesce(
  case when exists (select from groups where visit_minutes is not null) then (
    with recursive above (id, distance) as (
      select m.group_id, 0 from site_groups m where m.site_id = ${site}
      union
      select g.parent_id, a.distance + 1 from above a join groups g on g.id = a.id
      where g.parent_id is not null and g.visit_minutes is null)
    select g.visit_minutes * 60 from above a join groups g on g.id = a.id where g.visit_minutes is not null
    order by a.distance, g.visit_minutes limit 1) end, ${usual})`;

/** How often this site is visited. */
export async function findVisitSeconds(manager: EntityManager, siteId: string): Promise<number> {
  const [found]: { seconds: number }[] = await manager.query(
    `select ${visitSeconds('$1::uuid', '$2::float8')}::float8 as seconds`,
    [siteId, checkSeconds('site-visit')],
  );
  return found?.seconds ?? checkSeconds('site-visit');
}
