import type { EntityManager } from 'typeorm';
import type { JobQueues } from '../queue/job-queues';
import { findLag } from './due';

/** How long a batch has waited for an agent, in seconds. */
export const waitSeconds = (since: number | undefined): number =>
  since === undefined ? 0 : Math.max(0, Date.now() - since) / 1_000;

/** By how much visits of sites are late, in seconds: not yet queued, or waiting for an agent. */
export async function findWatchLag(manager: EntityManager, queues: JobQueues): Promise<number> {
  const waiting = waitSeconds(await queues.oldestSweep('site-visits'));
  return Math.max(await findLag(manager, 'site-visit'), waiting);
}
