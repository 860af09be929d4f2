import { jobRuns, jobWaits } from '@vigie/service-kit/measures';
import type { EntityManager } from 'typeorm';
import { type JobOutcome, Job } from '../queue/job.entity';
import { settleBatch } from '../queue/settle-batch';
import { hooksOf, metricKind } from './kinds';
import { toJsonb } from '../to-jsonb';
import { saveShownKey } from '../servers/shown-keys';

/** Locks the batch before its job, so that two transactions cannot deadlock. */
export async function lockJob(manager: EntityManager, id: string): Promise<Job | null> {
  await manager.query('select id from jobs where id = (select batch_id from jobs where id = $1) for update', [id]);
  return manager.findOne(Job, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

/** Runs the job's `onEnd` hook too. Returns false for a job that has ended already. */
export async function endJob(manager: EntityManager, id: string, outcome: JobOutcome): Promise<boolean> {
  const jobs = await lockJob(manager, id);
  if (!jobs || (jobs.state !== 'queued' && jobs.state !== 'running')) return false;
  await endLockedJobs(manager, [jobs], outcome);
  if (jobs.batchId !== null) await settleBatch(manager, jobs.batchId);
  return true;
}

/** Ends locked, open jobs. The caller settles their batch. */
export async function endLockedJobs(manager: EntityManager, jobs: readonly Job[], outcome: JobOutcome): Promise<void> {
  const unchangedIds: string[] = [];
  for (const job of jobs) {
    const finalOutcome = (await hooksOf(job.kind)?.onEnd?.(manager, job, outcome)) ?? outcome;
    if (job.access) await saveShownKey(manager, { ...job.access.row, version: job.access.version }, finalOutcome.error);
    if (finalOutcome === outcome) unchangedIds.push(job.id);
    else await writeOutcome(manager, [job.id], finalOutcome);
  }
  if (unchangedIds.length > 0) await writeOutcome(manager, unchangedIds, outcome);
}

type EndedRow = { kind: string; is_batch: boolean; waited: number; ran: number | null };

/** Deletes the credential: an ended job must not be able to open its host. */
async function writeOutcome(manager: EntityManager, ids: readonly string[], { state, result, error }: JobOutcome) {
  const [rows]: [EndedRow[], number] = await manager.query(
    `update jobs set state = $2, result = $3, error = $4, access = null, finished_at = now(),
       dispatched_at = null, lease_until = null where id = any($1::uuid[])
     returning kind, is_batch, extract(epoch from coalesce(started_at, finished_at) - created_at)::float8 as waited,
       extract(epoch from finished_at - started_at)::float8 as ran`,
    [ids, state, toJsonb(result), toJsonb(error)],
  );
  for (const job of rows) if (!job.is_batch) observeJob(job, state);
}

function observeJob({ kind, waited, ran }: EndedRow, state: JobOutcome['state']): void {
  const labels = { kind: metricKind(kind), state };
  jobWaits.observe(labels, waited);
  if (ran !== null) jobRuns.observe(labels, ran);
}
