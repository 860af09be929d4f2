import type { EntityManager } from 'typeorm';
import type { Job } from '../queue/job.entity';
import { findForbiddenCommands } from './may-run';

/**
 * An agent has had these jobs, but their commands may not have begun. Those that may not run any more are cancelled: their
 * host stops what runs, and never begins what does not.
 */
export async function stopForbidden(manager: EntityManager, jobs: readonly Job[]): Promise<void> {
  const forbidden = await findForbiddenCommands(manager, jobs);
  if (forbidden.size === 0) return;
  await manager.query('update jobs set cancel_asked_at = coalesce(cancel_asked_at, now()) where id = any($1::uuid[])', [
    [...forbidden],
  ]);
  for (const job of jobs) if (forbidden.has(job.id)) job.cancelRequestedAt ??= new Date();
}
