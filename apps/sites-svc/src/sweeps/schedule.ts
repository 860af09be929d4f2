import type { EntityManager } from 'typeorm';
import { env } from '../env';

const never = 315_360_000;

/** How often each kind of look is had, in seconds. */
export const intervals = {
  'server-health': env.VIGIE_HEALTH_SECONDS || never,
  'site-scan': env.VIGIE_SCAN_SECONDS || never,
  'site-visit': env.VIGIE_VISIT_SECONDS || never,
  'site-inspect': env.VIGIE_INSPECT_SECONDS || never,
} as const;
export type SweepKind = keyof typeof intervals;

/** Whether it is had at all, but for when somebody asks. */
export const isEver = (kind: SweepKind) => intervals[kind] !== never;

/** Spread from the start: what is made together is not looked at together. */
export async function scheduleServer(manager: EntityManager, id: string): Promise<void> {
  await manager.query(
    "insert into sweeps (kind, target_id, next_at) values ('server-health', $1, now() + random() * make_interval(secs => $2))",
    [id, intervals['server-health']],
  );
}

/** Until a site that is new is read and visited. */
const firstSeconds = 2;

/** Read and visited soon, since nothing is known of them yet. WordPress itself is asked later, spread over its time. */
export async function scheduleSites(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const kinds = ['site-scan', 'site-visit', 'site-inspect'] as const;
  const firsts = kinds.map((kind) => (isEver(kind) ? firstSeconds : never));
  await manager.query(
    `insert into sweeps (kind, target_id, next_at)
     select k.kind, id, now() + make_interval(secs => case when k.kind = 'site-inspect' then random() * $4 else k.secs end)
     from unnest($1::uuid[]) id cross join unnest($2::text[], $3::float8[]) k(kind, secs)`,
    [ids, kinds, firsts, intervals['site-inspect']],
  );
}

/** What is known of them may be so no longer. */
export async function hurryScans(manager: EntityManager, siteIds: readonly string[]): Promise<void> {
  await manager.query(
    `update sweeps set next_at = least(next_at, now() + make_interval(secs => $2))
     where kind = 'site-scan' and target_id = any($1::uuid[])`,
    [siteIds, isEver('site-scan') ? firstSeconds : never],
  );
}

/** The same for all sites `s` of which a condition holds, one after the other in an order that everybody keeps. */
export async function hurryScansWhere(
  manager: EntityManager,
  holds: string,
  values: readonly unknown[],
): Promise<void> {
  await manager.query(
    `update sweeps w set next_at = now() + make_interval(secs => ${firstSeconds}) from (
       select kind, target_id from sweeps
       where kind = 'site-scan' and next_at > now() + make_interval(secs => ${firstSeconds})
         and target_id in (select s.id from sites s where ${holds})
       order by target_id for no key update) due
     where w.kind = due.kind and w.target_id = due.target_id`,
    [...values],
  );
}

/** Over so many seconds inspections are spread that are brought forward together. */
const hurrySeconds = 30;

/**
 * Has WordPress itself asked within the minute where a scan cannot know all, unless it was asked since what is seen there
 * changed. What fails, or changes with each scan, waits twice as long each time.
 */
export async function hurryInspections(manager: EntityManager, siteIds: readonly string[]): Promise<void> {
  if (siteIds.length === 0 || !isEver('site-inspect')) return;
  await manager.query(
    `update sweeps w set next_at = now() + random() * make_interval(secs => $2), hurried_at = now(),
       hurries = case when w.hurried_at > now() - interval '1 day' then w.hurries + 1 else 1 end
     from sites s
     where w.kind = 'site-inspect' and w.target_id = s.id and s.id = any($1::uuid[])
       and (s.inspected_at is null or s.inspected_mark is distinct from s.mark)
       and w.next_at > now() + make_interval(secs => $2)
       and (w.hurried_at is null or w.hurried_at < now() - make_interval(secs => 30 * 2 ^ least(w.hurries, 11)))`,
    [siteIds, hurrySeconds],
  );
}

export async function endSweeps(manager: EntityManager, ids: readonly string[]): Promise<void> {
  await manager.query('delete from sweeps where target_id = any($1::uuid[])', [ids]);
}
