import { AppError } from '@vigie/contracts/errors';
import { isFinal, retryJob } from '@vigie/contracts/jobs';
import { currentUser } from '@vigie/service-kit/context';
import type { Creations } from '@vigie/service-kit/creations';
import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { ownerFilter } from '../owners/owner-filter';
import { holdJob, settleBatch } from './end-job';
import { Job, openStates } from './job.entity';
import { traceparent } from './jobs';
import { kindOf } from './kinds';

/** A person's retry is a new job: what the old one did, or may have done, stays written. Asked twice, it is done once. */
export async function retry(manager: EntityManager, creations: Creations, { id }: Job): Promise<string> {
  const job = await holdJob(manager, id);
  if (!job || !isFinal(job.state)) throw new AppError('conflict', 'Cette tâche n’est pas encore terminée.');
  if (job.state === 'succeeded') throw new AppError('conflict', 'Cette tâche a réussi\u00a0: rien n’est à relancer.');
  const open = await manager.findOneBy(Job, { retryOf: id, state: In(openStates) });
  const made = open?.id ?? uuid();
  const known = await creations.claim(manager, retryJob, { id }, made);
  if (known !== undefined || open) return known ?? made;
  if (job.batchId !== null && (await manager.existsBy(Job, { retryOf: id, batchId: job.batchId }))) {
    throw new AppError('conflict', 'Cette tâche a déjà été relancée dans ce lot\u00a0: relancez la plus récente.');
  }
  await copyJobs(manager, new Map([[id, made]]), job.batchId);
  const again = job.isBatch ? await retryFailed(manager, id, made) : [made];
  await kindOf(job.kind)?.onRetry?.(manager, again);
  if (job.batchId !== null) await settleBatch(manager, job.batchId);
  return made;
}

/** What did not succeed of a batch, as jobs of another. */
async function retryFailed(manager: EntityManager, batchId: string, madeId: string): Promise<string[]> {
  const failed: { id: string }[] = await manager.query(
    `select id from jobs j where batch_id = $1 and state <> 'succeeded' and ($2::uuid is null or owner_id = $2)
       and not exists (select from jobs again where again.retry_of = j.id and again.batch_id = $1)
     order by created_at, id`,
    [batchId, ownerFilter().ownerId ?? null],
  );
  if (failed.length === 0) throw new AppError('conflict', 'Rien de ce lot n’est à relancer.');
  const ids = new Map(failed.map(({ id }) => [id, uuid()]));
  await copyJobs(manager, ids, madeId);
  return [...ids.values()];
}

/** Makes new jobs of these as they were asked for, in the name of whoever asks now. */
async function copyJobs(manager: EntityManager, ids: ReadonlyMap<string, string>, batchId: string | null) {
  const { sub, name } = currentUser();
  await manager.query(
    `insert into jobs (id, kind, about, owner_id, actor_id, actor_name, site_id, site_name, server_id, server_name, batch_id,
       is_batch, retry_of, queue, lane, is_exclusive, is_heavy, input, traceparent)
     select c.id, kind, about, owner_id, $3, $4, site_id, site_name, server_id, server_name, $5,
       is_batch, jobs.id, queue, lane, is_exclusive, is_heavy, input, $6
     from unnest($1::uuid[], $2::uuid[]) c(of, id) join jobs on jobs.id = c.of`,
    [[...ids.keys()], [...ids.values()], sub, name ?? null, batchId, traceparent()],
  );
}
