import type { EntityManager } from 'typeorm';
import { isEnabled, type SweepKind } from './schedule';

/** By how much the most overdue of these is late, in seconds. */
async function findLag(manager: EntityManager, kind: SweepKind): Promise<number> {
  const [{ seconds } = { seconds: 0 }]: { seconds: number }[] = await manager.query(
    'select coalesce(extract(epoch from now() - min(next_at)), 0)::float8 as seconds from sweeps where kind = $1 and next_at <= now()',
    [kind],
  );
  return seconds;
}

/** How long a batch has waited for an agent, in seconds. */
export const waitSeconds = (since: number | undefined): number =>
  since === undefined ? 0 : Math.max(0, Date.now() - since) / 1_000;

/** By how much visits of sites are late, in seconds: not yet queued, waiting for an agent since then, or not stored. */
export async function findWatchLag(manager: EntityManager, oldestBatch: number | undefined): Promise<number> {
  if (!isEnabled('site-visit')) return 0;
  const overdue = await findLag(manager, 'site-visit');
  return Math.max(overdue, waitSeconds(oldestBatch), await findUnwatchedSeconds(manager));
}

/** A time in which visits are switched off is no matter of anybody's. */
export const noteWhetherVisits = (manager: EntityManager): Promise<unknown> =>
  manager.query(
    `update network_state set visited_at = case when $1::boolean then coalesce(visited_at, now()) end,
       expected_at = case when $1::boolean then expected_at end`,
    [isEnabled('site-visit')],
  );

/** Notes for when the visits that are on their way were planned; a report of any visit has been expected since the first one. */
export const noteExpected = (manager: EntityManager, plannedAt: Date): Promise<unknown> =>
  manager.query('update network_state set expected_at = $1 where expected_at is null', [plannedAt]);

/** For how long visits were planned while none was stored, in seconds. */
async function findUnwatchedSeconds(manager: EntityManager): Promise<number> {
  const [row]: { seconds: number }[] = await manager.query(
    `select extract(epoch from now() - greatest(visited_at, expected_at))::float8 as seconds
     from network_state where expected_at is not null and exists (select from sites)`,
  );
  return Math.max(0, row?.seconds ?? 0);
}
