import { isOneOf, queryPrepared } from '@vigie/service-kit/database';
import type { EntityManager } from 'typeorm';
import { isLatestAttempt, isOpen } from './job.entity';

/** Derives a batch's state from its jobs. It is being cancelled while all its open jobs are. */
export async function settleBatch(manager: EntityManager, batchId: string): Promise<void> {
  await manager.query(
    `update jobs batch set
       state = case
         when c.open > 0 and c.running = 0 and c.started_at is null then 'queued'
         when c.open > 0 then 'running'
         when c.failed > 0 then 'failed'
         when c.unknown > 0 then 'unknown'
         when c.cancelled > 0 then 'cancelled'
         else 'succeeded' end,
       started_at = c.started_at,
       cancel_asked_at = case when c.cancelling = c.open then c.cancel_asked_at end,
       finished_at = case when c.open = 0 then now() end,
       -- Its retried jobs may fail again.
       acknowledged_at = case when c.open = 0 then batch.acknowledged_at end
     from (
       select count(*) filter (where state in ('queued', 'running')) as open,
         count(*) filter (where state = 'running') as running,
         count(*) filter (where state = 'failed') as failed,
         count(*) filter (where state = 'unknown') as unknown,
         count(*) filter (where state = 'cancelled') as cancelled,
         min(started_at) as started_at,
         count(*) filter (where state in ('queued', 'running') and cancel_asked_at is not null) as cancelling,
         min(cancel_asked_at) filter (where state in ('queued', 'running')) as cancel_asked_at
       from jobs j where batch_id = $1 and ${isLatestAttempt}
     ) c
     where batch.id = $1`,
    [batchId],
  );
}

/** SQL: the batch runs whatever becomes of one of its jobs, since another one is open that nobody has cancelled. */
const runsOn = `batch.state = 'running' and batch.cancel_asked_at is null and batch.acknowledged_at is null
  and exists (select from jobs j where j.batch_id = batch.id and ${isOpen('j')} and j.cancel_asked_at is null)`;

/**
 * Settles the batches of jobs that began or ended, each once. Most batches run on, which an index of open jobs tells: to
 * count all jobs of a batch for each of them would take ever longer.
 */
export async function settleBatches(
  manager: EntityManager,
  jobs: readonly { batchId: string | null }[],
): Promise<void> {
  const ids = [...new Set(jobs.flatMap(({ batchId }) => batchId ?? []))];
  if (ids.length === 0) return;
  const changed = await queryPrepared<{ id: string }>(
    manager,
    `select id from jobs batch where id ${isOneOf(ids, '$1')} and not (${runsOn})`,
    [ids],
  );
  for (const { id } of changed) await settleBatch(manager, id);
}
