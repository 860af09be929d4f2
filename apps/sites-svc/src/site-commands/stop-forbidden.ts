import type { EntityManager } from 'typeorm';
import type { Job } from '../queue/job.entity';
import { findForbiddenCommands } from './may-run';

/**
 * An agent has these jobs. Those of them whose commands may not run any more are cancelled, and returned: their host stops
 * what runs, and never begins what does not.
 */
export async function stopForbidden(
  manager: EntityManager,
  jobs: readonly Pick<Job, 'id' | 'kind'>[],
): Promise<ReadonlySet<string>> {
  const forbidden = await findForbiddenCommands(manager, jobs);
  if (forbidden.size > 0) {
    await manager.query(
      // Locks in the order in which a batch is cancelled, so that the two cannot deadlock.
      `update jobs set cancel_asked_at = now() where id in (
         select id from jobs where id = any($1::uuid[]) and cancel_asked_at is null order by id for update)`,
      [[...forbidden]],
    );
  }
  return forbidden;
}
