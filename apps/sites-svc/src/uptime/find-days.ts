import type { EntityManager } from 'typeorm';
import { newRows } from './find-uptime';

export type DayCounts = { ups: number; downs: number };

const dayMs = 86_400_000;
const textOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The checks of several sites by days of UTC, today last: for each site a count for each day, the unchecked ones included. */
export async function findDays(
  manager: EntityManager,
  ids: readonly string[],
  days: number,
): Promise<Map<string, DayCounts[]>> {
  const rows: (DayCounts & { id: string; day: string })[] = await manager.query(
    `select site_id as id, to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(ups)::int as ups, sum(downs)::int as downs
     from (
       select site_id, at, ups, downs from visit_days
       where site_id = any($1::uuid[]) and at > now() - make_interval(days => $2)
       union all
       select site_id, date_trunc('day', at, 'UTC'), sum(ups), sum(downs)
       from (${newRows('any($1::uuid[])')}) fresh group by 1, 2
     ) r group by 1, 2`,
    [ids, days],
  );
  const now = Date.now();
  const places = new Map(Array.from({ length: days }, (_, at) => [textOf(now - (days - 1 - at) * dayMs), at]));
  const found = new Map(ids.map((id) => [id, Array.from({ length: days }, () => ({ ups: 0, downs: 0 }))]));
  for (const { id, day, ups, downs } of rows) {
    const place = places.get(day);
    const site = found.get(id);
    if (place !== undefined && site) site[place] = { ups, downs };
  }
  return found;
}
