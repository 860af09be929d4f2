import type { EntityManager } from 'typeorm';
import { type Ending, Job } from './job.entity';
import { kindOf } from './kinds';
import { toJsonb } from '../db/to-jsonb';

/** Held until the end of the transaction: the batch before its job, so that no two wait for each other. */
export async function holdJob(manager: EntityManager, id: string): Promise<Job | null> {
  await manager.query('select id from jobs where id = (select batch_id from jobs where id = $1) for update', [id]);
  return manager.findOne(Job, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

/** Ends an open job, once, with all that follows from it. Says whether it did. */
export async function endJob(manager: EntityManager, id: string, ending: Ending): Promise<boolean> {
  const held = await holdJob(manager, id);
  if (!held || (held.state !== 'queued' && held.state !== 'running')) return false;
  const known = (await kindOf(held.kind)?.onEnd?.(manager, held, ending)) ?? ending;
  // What opens its host goes with it.
  await manager.query(
    `update jobs set state = $2, result = $3, error = $4, access = null, finished_at = now(),
       dispatched_at = null, lease_until = null where id = $1`,
    [id, known.state, toJsonb(known.result), toJsonb(known.error)],
  );
  if (held.batchId !== null) await settleBatch(manager, held.batchId);
  return true;
}

/** The state of a batch follows from those of its jobs. */
export async function settleBatch(manager: EntityManager, batchId: string): Promise<void> {
  await manager.query(
    `update jobs batch set
       state = case
         when c.open = c.total and c.running = 0 then 'queued'
         when c.open > 0 then 'running'
         when c.failed > 0 then 'failed'
         when c.unknown > 0 then 'unknown'
         when c.cancelled > 0 then 'cancelled'
         else 'succeeded' end,
       started_at = coalesce(batch.started_at, c.started_at),
       finished_at = case when c.open = 0 then now() end
     from (
       select count(*) as total,
         count(*) filter (where state in ('queued', 'running')) as open,
         count(*) filter (where state = 'running') as running,
         count(*) filter (where state = 'failed') as failed,
         count(*) filter (where state = 'unknown') as unknown,
         count(*) filter (where state = 'cancelled') as cancelled,
         min(started_at) as started_at
       from jobs where batch_id = $1
     ) c
     where batch.id = $1`,
    [batchId],
  );
}
