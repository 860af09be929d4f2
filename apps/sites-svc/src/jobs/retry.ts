import { AppError } from '@vigie/contracts/errors';
import { isFinal, retryJob } from '@vigie/contracts/jobs';
import type { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { reachesJob, reachesRowOfSite, reachingCaller } from '../owners/reach';
import { lockReachedJob } from './end-job';
import { hasFailed, isLatestAttempt, Job, openStates, unknownJob } from '../queue/job.entity';
import { settleBatch } from '../queue/settle-batch';
import { insertJobs, type RetriedJob, sameWorkRunning } from '../queue/jobs';
import { hooksOf, type JobHooks } from './kinds';
import { withCurrentTargets } from './current-targets';
import { batchRetrySucceeded, stillCancelling, lockRetries, hasSuccessfulRetry, refuseRetried } from './retries';

/** A retry is a new job, so that the record of the old one stays. Any job of a chain can be retried, but only one at a time. */
export async function retry(manager: EntityManager, idempotencyKeys: IdempotencyKeys, requested: Job): Promise<string> {
  const { id } = requested;
  await lockRetries(manager, requested);
  const job = await lockReachedJob(manager, requested);
  if (!job || !isFinal(job.state)) throw new AppError('conflict', 'Cette tâche n’est pas encore terminée.');
  if (job.state === 'succeeded')
    throw new AppError('conflict', 'Cette tâche a réussi\u00a0: il n’y a rien à relancer.');
  const open = await manager.findOneBy(Job, { retryOf: id, state: In(openStates) });
  const newId = open?.id ?? uuid();
  const existingId = await idempotencyKeys.claim(manager, retryJob, { id }, newId);
  if (existingId !== undefined) return existingId;
  if (open?.cancelRequestedAt) throw new AppError('conflict', stillCancelling);
  if (open) return newId;
  await refuseRetried(manager, job);
  await createRetry(manager, job, newId);
  return newId;
}

async function createRetry(manager: EntityManager, { id, batchId, isBatch, kind }: Job, newId: string): Promise<void> {
  if (batchId !== null && (await manager.existsBy(Job, { retryOf: id, batchId }))) {
    throw new AppError('conflict', 'Cette tâche a déjà été relancée dans ce lot\u00a0: relancez la plus récente.');
  }
  const hooks = hooksOf(kind);
  const copiedIds = await copyJobs(manager, new Map([[id, newId]]), batchId, isBatch ? undefined : hooks?.renew);
  const retriedIds = isBatch ? await retryFailed(manager, id, newId, hooks?.renew) : copiedIds;
  await hooks?.audit?.(manager, retriedIds);
  if (batchId !== null) await settleBatch(manager, batchId);
}

/** Retries a batch's failed jobs; its cancelled jobs only when none has failed, of any owner. */
async function retryFailed(
  manager: EntityManager,
  batchId: string,
  newBatchId: string,
  renew: JobHooks['renew'],
): Promise<string[]> {
  const failed: { id: string; is_done: boolean }[] = await manager.query(
    `select id, ${hasSuccessfulRetry('j')} as is_done from jobs j
     where batch_id = $1 and ${reachesRowOfSite('j', '$2')} and ${isLatestAttempt}
       and state = any (case when exists (select from jobs j where batch_id = $1 and ${hasFailed} and ${isLatestAttempt})
         then '{failed,unknown}'::text[] else '{cancelled}' end)
     order by created_at, id`,
    [batchId, reachingCaller()],
  );
  if (failed.length === 0) throw new AppError('conflict', 'Ce lot n’a rien à relancer.');
  const remaining = failed.filter(({ is_done: isDone }) => !isDone);
  if (remaining.length === 0) throw new AppError('conflict', batchRetrySucceeded);
  return copyJobs(manager, new Map(remaining.map((job) => [job.id, uuid()])), newBatchId, renew);
}

/**
 * Copies jobs with their current targets and a renewed input, in the name of the caller. Returns the ids of the copies:
 * a job whose work another open job does is not copied.
 */
async function copyJobs(
  manager: EntityManager,
  ids: ReadonlyMap<string, string>,
  batchId: string | null,
  renew: JobHooks['renew'],
): Promise<string[]> {
  // As a request does, so that it and a retry cannot both find no open job.
  for (const kind of ['server', 'site']) {
    await manager.query(
      `select from ${kind}s where id in (select ${kind}_id from jobs where id = any($1::uuid[])) order by id for no key update`,
      [[...ids.keys()]],
    );
  }
  // What has passed to another owner meanwhile is out of reach.
  const originals: RetriedJob[] = await manager.query(
    `select id, kind, about, owner_id, site_id, site_name, server_id, server_name, is_batch, is_shared, queue, lane,
       is_exclusive, is_heavy, input from jobs where id = any($1::uuid[]) and ${reachesJob('jobs', '$2')} order by id`,
    [[...ids.keys()], reachingCaller()],
  );
  if (originals.length === 0) throw unknownJob();
  const jobs = await withCurrentTargets(manager, originals);
  const renewedJobs = (await renew?.(manager, jobs)) ?? jobs;
  const copies = renewedJobs.map((job) => ({ ...job, id: ids.get(job.id), retry_of: job.id, batch_id: batchId }));
  const copiedIds = await insertJobs(manager, copies);
  if (copiedIds.length === 0) throw sameWorkRunning();
  return copiedIds;
}
