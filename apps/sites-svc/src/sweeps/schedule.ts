import type { EntityManager } from 'typeorm';
import { env } from '../env';

const never = 315_360_000;

/** In seconds. */
export const intervals = {
  'server-health': env.VIGIE_HEALTH_SECONDS || never,
  'site-scan': env.VIGIE_SCAN_SECONDS || never,
  'site-visit': env.VIGIE_VISIT_SECONDS || never,
  'site-inspect': env.VIGIE_INSPECT_SECONDS || never,
} as const;
export type SweepKind = keyof typeof intervals;

export const isEnabled = (kind: SweepKind) => intervals[kind] !== never;

/** How often a target is checked, where that is by request alone as often as by default. In seconds. */
export const checkSeconds = (kind: 'server-health' | 'site-visit'): number => (isEnabled(kind) ? intervals[kind] : 60);

/** Starts at a random time, so that servers added together are not probed together. */
export async function scheduleServer(manager: EntityManager, id: string): Promise<void> {
  await manager.query(
    "insert into sweeps (kind, target_id, next_at) values ('server-health', $1, now() + random() * make_interval(secs => $2))",
    [id, intervals['server-health']],
  );
}

const firstSeconds = 2;

/** New sites are scanned and visited at once; inspections, which are costly, start at a random time. */
export async function scheduleSites(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const kinds = ['site-scan', 'site-visit', 'site-inspect'] as const;
  const firsts = kinds.map((kind) => (isEnabled(kind) ? firstSeconds : never));
  await manager.query(
    `insert into sweeps (kind, target_id, next_at)
     select k.kind, id, now() + make_interval(secs => case when k.kind = 'site-inspect' then random() * $4 else k.secs end)
     from unnest($1::uuid[]) id cross join unnest($2::text[], $3::float8[]) k(kind, secs)`,
    [ids, kinds, firsts, intervals['site-inspect']],
  );
}

export async function hurryScans(manager: EntityManager, siteIds: readonly string[]): Promise<void> {
  await manager.query(
    `update sweeps set next_at = least(next_at, now() + make_interval(secs => $2))
     where kind = 'site-scan' and target_id = any($1::uuid[])`,
    [siteIds, isEnabled('site-scan') ? firstSeconds : never],
  );
}

/**
 * A site that fails or has just failed is visited each minute, so that an outage and its end are soon known, and so are the
 * other sites of a server with an outage: they may have the same cause.
 */
export async function hurryVisits(manager: EntityManager, siteIds: readonly string[]): Promise<void> {
  if (siteIds.length === 0) return;
  await manager.query(
    `update sweeps w set next_at = now() + make_interval(secs => $2) from (
       select kind, target_id from sweeps
       where ($3 or exists (select from groups where visit_minutes > 1))
         and kind = 'site-visit' and next_at > now() + make_interval(secs => $2) and target_id in (
         select mate.id from conditions c join sites s on s.id = c.subject_id
           join sites mate on mate.id = s.id or c.kind = 'outage' and mate.server_id = s.server_id
         where c.subject_id = any($1::uuid[]) and c.kind in ('outage', 'content'))
       order by target_id for no key update) due
     where w.kind = due.kind and w.target_id = due.target_id`,
    [siteIds, failingSeconds, intervals['site-visit'] > failingSeconds],
  );
}

const failingSeconds = 60;

/** Visits these sites within so many seconds, unless visits are disabled: what decides about their checks has changed. */
export async function visitSoon(
  manager: EntityManager,
  siteIds: readonly string[],
  seconds = firstSeconds,
): Promise<void> {
  if (siteIds.length === 0 || !isEnabled('site-visit')) return;
  await manager.query(
    `update sweeps w set next_at = least(w.next_at, now() + random() * make_interval(secs => $2)) from (
       select kind, target_id from sweeps where kind = 'site-visit' and target_id = any($1::uuid[])
       order by target_id for no key update) due
     where w.kind = due.kind and w.target_id = due.target_id`,
    [siteIds, seconds],
  );
}

/** `condition` is SQL about sites `s`. Locks rows in the order of their ids, so that two calls cannot deadlock. */
export async function hurryScansWhere(
  manager: EntityManager,
  condition: string,
  values: readonly unknown[],
): Promise<void> {
  await manager.query(
    `update sweeps w set next_at = now() + make_interval(secs => ${firstSeconds}) from (
       select kind, target_id from sweeps
       where kind = 'site-scan' and next_at > now() + make_interval(secs => ${firstSeconds})
         and target_id in (select s.id from sites s where ${condition})
       order by target_id for no key update) due
     where w.kind = due.kind and w.target_id = due.target_id`,
    [...values],
  );
}

const hurrySeconds = 30;

/**
 * Brings an inspection forward after a scan that could not see the whole site, unless the site is unchanged since the
 * last one. The delay doubles each time, for sites that fail or change with every scan.
 */
export async function hurryInspections(manager: EntityManager, siteIds: readonly string[]): Promise<void> {
  if (siteIds.length === 0 || !isEnabled('site-inspect')) return;
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
  await manager.query(
    `delete from sweeps where (kind, target_id) in (
       select kind, target_id from sweeps where target_id = any($1::uuid[]) order by target_id for update)`,
    [ids],
  );
}
