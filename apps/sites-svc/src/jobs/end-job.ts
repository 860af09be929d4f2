import { jobRuns, jobWaits } from '@vigie/service-kit/measures';
import type { EntityManager } from 'typeorm';
import { type Ending, isLast, Job } from './job.entity';
import { kindOf, measuredKind } from './kinds';
import { toJsonb } from '../db/to-jsonb';
import { keepShownKey } from '../servers/shown-keys';

/** Held until the end of the transaction: the batch before its job, so that no two wait for each other. */
export async function holdJob(manager: EntityManager, id: string): Promise<Job | null> {
  await manager.query('select id from jobs where id = (select batch_id from jobs where id = $1) for update', [id]);
  return manager.findOne(Job, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

/** Ends an open job, once, with all that follows from it. Says whether it did. */
export async function endJob(manager: EntityManager, id: string, ending: Ending): Promise<boolean> {
  const held = await holdJob(manager, id);
  if (!held || (held.state !== 'queued' && held.state !== 'running')) return false;
  await endHeld(manager, [held], ending);
  if (held.batchId !== null) await settleBatch(manager, held.batchId);
  return true;
}

/** Ends these held and open jobs alike, by one statement; its batch is for the caller to settle. */
export async function endHeld(manager: EntityManager, held: readonly Job[], ending: Ending): Promise<void> {
  const alike: string[] = [];
  for (const job of held) {
    const known = (await kindOf(job.kind)?.onEnd?.(manager, job, ending)) ?? ending;
    if (job.access) await keepShownKey(manager, { ...job.access.row, version: job.access.version }, known.error);
    if (known === ending) alike.push(job.id);
    else await keepEnding(manager, [job.id], known);
  }
  if (alike.length > 0) await keepEnding(manager, alike, ending);
}

type Ended = { kind: string; is_batch: boolean; waited: number; ran: number | null };

/** A job that has ended keeps nothing that opens its host. */
async function keepEnding(manager: EntityManager, ids: readonly string[], { state, result, error }: Ending) {
  const [ended]: [Ended[], number] = await manager.query(
    `update jobs set state = $2, result = $3, error = $4, access = null, finished_at = now(),
       dispatched_at = null, lease_until = null where id = any($1::uuid[])
     returning kind, is_batch, extract(epoch from coalesce(started_at, finished_at) - created_at)::float8 as waited,
       extract(epoch from finished_at - started_at)::float8 as ran`,
    [ids, state, toJsonb(result), toJsonb(error)],
  );
  for (const job of ended) if (!job.is_batch) measure(job, state);
}

function measure({ kind, waited, ran }: Ended, state: Ending['state']): void {
  const labels = { kind: measuredKind(kind), state };
  jobWaits.observe(labels, waited);
  if (ran !== null) jobRuns.observe(labels, ran);
}

/** The state of a batch follows from those of its jobs; it is being called off while all that is open of it is. */
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
       finished_at = case when c.open = 0 then now() end
     from (
       select count(*) filter (where state in ('queued', 'running')) as open,
         count(*) filter (where state = 'running') as running,
         count(*) filter (where state = 'failed') as failed,
         count(*) filter (where state = 'unknown') as unknown,
         count(*) filter (where state = 'cancelled') as cancelled,
         min(started_at) as started_at,
         count(*) filter (where state in ('queued', 'running') and cancel_asked_at is not null) as cancelling,
         min(cancel_asked_at) filter (where state in ('queued', 'running')) as cancel_asked_at
       from jobs j where batch_id = $1 and ${isLast}
     ) c
     where batch.id = $1`,
    [batchId],
  );
}
