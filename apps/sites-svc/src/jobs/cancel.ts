import { AppError } from '@vigie/contracts/errors';
import { isFinal } from '@vigie/contracts/jobs';
import type { EntityManager } from 'typeorm';
import { reachesRowOfSite, reachingCaller } from '../owners/reach';
import { endLockedJobs, lockReachedJob } from './end-job';
import { Job, openStates } from '../queue/job.entity';
import { settleBatch } from '../queue/settle-batch';

const cancelledOutcome = { state: 'cancelled', result: null, error: null } as const;

/** Ends queued jobs now and returns the running ones, which their agents must stop. */
export async function cancel(manager: EntityManager, requested: Job): Promise<string[]> {
  const { id, isBatch } = requested;
  const job = await lockReachedJob(manager, requested);
  if (!job || isFinal(job.state)) throw new AppError('conflict', 'Cette tâche est déjà terminée.');
  const openJobs = isBatch
    ? await manager
        .createQueryBuilder(Job, 'j')
        .where(reachesRowOfSite('j', 'cast(:caller as uuid)'), { caller: reachingCaller() })
        .andWhere('j.batchId = :id and j.state in (:...openStates)', { id, openStates })
        .orderBy('j.id')
        .setLock('pessimistic_write')
        .getMany()
    : [job];
  await endLockedJobs(
    manager,
    openJobs.filter(({ state }) => state === 'queued'),
    cancelledOutcome,
  );
  const running = openJobs.flatMap((each) => (each.state === 'running' ? each.id : []));
  await manager.query(
    `update jobs set cancel_asked_at = coalesce(cancel_asked_at, now()), not_before = least(not_before, now())
     where id = any($1::uuid[])`,
    [running],
  );
  const batchId = isBatch ? id : job.batchId;
  if (batchId !== null) await settleBatch(manager, batchId);
  return running;
}
