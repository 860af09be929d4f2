import { AppError } from '@vigie/contracts/errors';
import { isFinal, retryJob } from '@vigie/contracts/jobs';
import { currentUser } from '@vigie/service-kit/context';
import type { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { toJsonb } from '../to-jsonb';
import { ownerFilter } from '../owners/owner-filter';
import { lockJob } from './end-job';
import { hasFailed, isLatestAttempt, Job, openStates } from '../queue/job.entity';
import { settleBatch } from '../queue/settle-batch';
import { traceparent } from '../queue/jobs';
import { hooksOf } from './kinds';
import { findCurrentTargets } from './current-targets';
import {
  batchRetrySucceeded,
  stillCancelling,
  lockRetries,
  hasSuccessfulRetry,
  refuseRetried,
  sameWorkRunning,
} from './retries';

/** A retry is a new job, so that the record of the old one stays. Any job of a chain can be retried, but only one at a time. */
export async function retry(manager: EntityManager, idempotencyKeys: IdempotencyKeys, requested: Job): Promise<string> {
  const { id } = requested;
  await lockRetries(manager, requested);
  const job = await lockJob(manager, id);
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
  const copiedIds = await copyJobs(manager, new Map([[id, newId]]), batchId);
  if (copiedIds.length === 0) throw new AppError('conflict', sameWorkRunning);
  const retriedIds = isBatch ? await retryFailed(manager, id, newId) : copiedIds;
  await hooksOf(kind)?.onRetry?.(manager, retriedIds);
  if (batchId !== null) await settleBatch(manager, batchId);
}

/** Retries a batch's failed jobs; its cancelled jobs only when none has failed, of any owner. */
async function retryFailed(manager: EntityManager, batchId: string, newBatchId: string): Promise<string[]> {
  const failed: { id: string; is_done: boolean }[] = await manager.query(
    `select id, ${hasSuccessfulRetry('j')} as is_done from jobs j
     where batch_id = $1 and ($2::uuid is null or owner_id = $2) and ${isLatestAttempt}
       and state = any (case when exists (select from jobs j where batch_id = $1 and ${hasFailed} and ${isLatestAttempt})
         then '{failed,unknown}'::text[] else '{cancelled}' end)
     order by created_at, id`,
    [batchId, ownerFilter().ownerId ?? null],
  );
  if (failed.length === 0) throw new AppError('conflict', 'Ce lot n’a rien à relancer.');
  const remaining = failed.filter(({ is_done: isDone }) => !isDone);
  if (remaining.length === 0) throw new AppError('conflict', batchRetrySucceeded);
  const copiedIds = await copyJobs(manager, new Map(remaining.map((job) => [job.id, uuid()])), newBatchId);
  if (copiedIds.length === 0) throw new AppError('conflict', sameWorkRunning);
  return copiedIds;
}

/**
 * Copies jobs with their current targets, in the name of the caller. Returns the ids of the copies: work that another
 * open job does is not copied.
 */
async function copyJobs(
  manager: EntityManager,
  ids: ReadonlyMap<string, string>,
  batchId: string | null,
): Promise<string[]> {
  const { sub, name } = currentUser();
  const targets = await findCurrentTargets(manager, [...ids.keys()]);
  const copies: { id: string }[] = await manager.query(
    `insert into jobs (id, kind, about, owner_id, actor_id, actor_name, site_id, site_name, server_id, server_name, batch_id,
       is_batch, is_shared, retry_of, queue, lane, is_exclusive, is_heavy, work_key, input, traceparent)
     select c.made, kind, about, owner_id, $2, $3,
       site_id, case when site_id is null then site_name else coalesce(c.name, site_name) end,
       server_id, case when site_id is null then coalesce(c.name, server_name) else server_name end, $4,
       is_batch, is_shared, jobs.id, queue, c.lane, is_exclusive, is_heavy, case when not is_batch then work_key end,
       -- Replaces only those keys of the target that the input had before.
       jobs.input || coalesce((select jsonb_object_agg(key, value) from jsonb_each(c.input) where jobs.input ? key), '{}'), $5
     from jsonb_to_recordset($1::jsonb) c(id uuid, made uuid, lane text, name text, input jsonb) join jobs using (id)
     on conflict do nothing returning id`,
    [
      toJsonb(targets.map((target) => ({ ...target, made: ids.get(target.id) }))),
      sub,
      name ?? null,
      batchId,
      traceparent(),
    ],
  );
  return copies.map((copy) => copy.id);
}
