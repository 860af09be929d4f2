import { isFinal } from '@vigie/contracts/jobs';
import { columnsOf, isOneOf, queryPrepared } from '@vigie/service-kit/database';
import { jobRuns, jobWaits } from '@vigie/service-kit/measures';
import type { EntityManager } from 'typeorm';
import { type JobOutcome, Job, unknownJob } from '../queue/job.entity';
import { settleBatches } from '../queue/settle-batch';
import { hooksOf, metricKind } from './kinds';
import { toJsonb } from '../to-jsonb';
import { saveShownKey } from '../servers/shown-keys';

/**
 * Locks batches before their jobs, and each by its id, so that two transactions cannot deadlock. The batch can still be
 * referred to, as a second update of one of its jobs in another transaction does.
 */
export async function lockJobs(manager: EntityManager, ids: readonly string[]): Promise<Job[]> {
  const isOneOfThem = `id ${isOneOf(ids, '$1')}`;
  await queryPrepared(
    manager,
    `select id from jobs where id in (select batch_id from jobs where ${isOneOfThem}) order by id for no key update`,
    [ids],
  );
  return queryPrepared<Job>(
    manager,
    `select ${columnsOf(manager, Job)} from jobs where ${isOneOfThem} order by id for update`,
    [ids],
  );
}

export async function lockJob(manager: EntityManager, id: string): Promise<Job | undefined> {
  const [job] = await lockJobs(manager, [id]);
  return job;
}

/** Locks a job that the caller reaches. Its site may have passed to another owner before the lock. */
export async function lockReachedJob(manager: EntityManager, { id, ownerId }: Job): Promise<Job | undefined> {
  const job = await lockJob(manager, id);
  if (job && job.ownerId !== ownerId) throw unknownJob();
  return job;
}

/** Ends a locked job and settles its batch, unless it has ended already. */
export async function endJob(manager: EntityManager, job: Job, outcome: JobOutcome): Promise<void> {
  if (isFinal(job.state)) return;
  await endLockedJobs(manager, [job], outcome);
  await settleBatches(manager, [job]);
}

/** Ends locked, open jobs. The caller settles their batch. */
export async function endLockedJobs(manager: EntityManager, jobs: readonly Job[], outcome: JobOutcome): Promise<void> {
  const ends: JobEnd[] = [];
  for (const job of jobs) {
    const finalOutcome = (await hooksOf(job.kind)?.onEnd?.(manager, job, outcome)) ?? outcome;
    if (job.access) await saveShownKey(manager, { ...job.access.row, version: job.access.version }, finalOutcome.error);
    ends.push({ id: job.id, ...finalOutcome });
  }
  if (ends.length > 0) await writeEnds(manager, ends);
}

type JobEnd = JobOutcome & { id: string };
type EndedRow = { kind: string; state: JobOutcome['state']; is_batch: boolean; waited: number; ran: number | null };

/** Deletes the credentials: an ended job must not be able to open its host. */
async function writeEnds(manager: EntityManager, ends: readonly JobEnd[]): Promise<void> {
  const ids = ends.map(({ id }) => id);
  const rows = await queryPrepared<EndedRow>(
    manager,
    `update jobs set state = ended.state, result = ended.result, error = ended.error, access = null, finished_at = now(),
       dispatched_at = null, lease_until = null
     from jsonb_to_recordset($1::jsonb) as ended(id uuid, state text, result jsonb, error jsonb)
     where jobs.id = ended.id and jobs.id ${isOneOf(ids, '$2')}
     returning kind, jobs.state, is_batch,
       extract(epoch from coalesce(started_at, finished_at) - created_at)::float8 as waited,
       extract(epoch from finished_at - started_at)::float8 as ran`,
    [toJsonb(ends), ids],
  );
  for (const job of rows) if (!job.is_batch) observeJob(job);
}

function observeJob({ kind, state, waited, ran }: EndedRow): void {
  const labels = { kind: metricKind(kind), state };
  jobWaits.observe(labels, waited);
  if (ran !== null) jobRuns.observe(labels, ran);
}
