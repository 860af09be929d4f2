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
      'update jobs set cancel_asked_at = coalesce(cancel_asked_at, now()) where id = any($1::uuid[])',
      [[...forbidden]],
    );
  }
  return forbidden;
}
