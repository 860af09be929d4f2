import type { EntityManager } from 'typeorm';
import { findLag } from './due';
import { checkSeconds, isEnabled } from './schedule';

/** How long a batch has waited for an agent, in seconds. */
export const waitSeconds = (since: number | undefined): number =>
  since === undefined ? 0 : Math.max(0, Date.now() - since) / 1_000;

/** By how much visits of sites are late, in seconds: not yet queued, waiting for an agent since then, or not stored. */
export async function findWatchLag(manager: EntityManager, oldestBatch: number | undefined): Promise<number> {
  if (!isEnabled('site-visit')) return 0;
  const overdue = await findLag(manager, 'site-visit');
  const unwatched = await findUnwatchedSeconds(manager, checkSeconds('site-visit'));
  return Math.max(overdue, waitSeconds(oldestBatch), unwatched);
}

/** A time in which visits are switched off is no matter of anybody's. */
export const noteWhetherVisits = (manager: EntityManager): Promise<unknown> =>
  manager.query('update network_state set visited_at = case when $1::boolean then coalesce(visited_at, now()) end', [
    isEnabled('site-visit'),
  ]);

/** For how long after the time of the next one no visit was stored, in seconds. Without a site none is due. */
async function findUnwatchedSeconds(manager: EntityManager, intervalSeconds: number): Promise<number> {
  const [row]: { seconds: number | null }[] = await manager.query(
    `select extract(epoch from now() - greatest(n.visited_at, s.since))::float8 as seconds
     from network_state n cross join (select min(created_at) as since from sites) s
     where n.visited_at is not null and s.since is not null`,
  );
  return Math.max(0, (row?.seconds ?? 0) - intervalSeconds);
}
