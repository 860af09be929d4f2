import { AppError } from '@vigie/contracts/errors';
import { isFinal } from '@vigie/contracts/jobs';
import { isNarrowed } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { reachesRowOfSite, reachingCaller } from '../owners/reach';
import { roleTooWeak } from '../owners/role-refusal';
import { mayRead } from '../site-commands/may-run';
import { endLockedJobs, lockJobs, lockReachedJob } from './end-job';
import { Job, openStates } from '../queue/job.entity';
import { settleBatch, settleBatches } from '../queue/settle-batch';

const cancelledOutcome = { state: 'cancelled', result: null, error: null } as const;

/** Ends queued jobs now and returns the running ones, which their agents must stop. */
export async function cancel(manager: EntityManager, requested: Job): Promise<string[]> {
  const { id, isBatch } = requested;
  const job = await lockReachedJob(manager, requested);
  if (!job) throw alreadyEnded();
  const reached = isBatch
    ? await manager
        .createQueryBuilder(Job, 'j')
        .where(reachesRowOfSite('j', 'cast(:caller as uuid)'), { caller: reachingCaller() })
        .andWhere('j.batchId = :id and j.state in (:...openStates)', { id, openStates })
        .orderBy('j.id')
        .setLock('pessimistic_write')
        .getMany()
    : [job];
  const openJobs = job.kind === 'commands.run' ? await readableAmong(manager, reached) : reached;
  if (reached.length > 0 && openJobs.length === 0) throw roleTooWeak();
  if (isFinal(job.state)) throw alreadyEnded();
  const running = await stop(manager, openJobs);
  const batchId = isBatch ? id : job.batchId;
  if (batchId !== null) await settleBatch(manager, batchId);
  return running;
}

const alreadyEnded = () => new AppError('conflict', 'Cette tâche est déjà terminée.');

/** A person who may not read a command must not stop it either. */
async function readableAmong(manager: EntityManager, jobs: readonly Job[]): Promise<Job[]> {
  if (isNarrowed()) return [];
  const rows: { id: string }[] = await manager.query(
    `select j.id from jobs j where j.id = any($1::uuid[]) and ${mayRead('j', '$2::uuid')}`,
    [jobs.map(({ id }) => id), reachingCaller()],
  );
  const ids = new Set(rows.map(({ id }) => id));
  return jobs.filter(({ id }) => ids.has(id));
}

/** Ends those of these locked jobs that are queued, and returns the running ones. The caller settles their batch. */
async function stop(manager: EntityManager, jobs: readonly Job[]): Promise<string[]> {
  await endLockedJobs(
    manager,
    jobs.filter(({ state }) => state === 'queued'),
    cancelledOutcome,
  );
  const running = jobs.flatMap((each) => (each.state === 'running' ? each.id : []));
  await manager.query(
    `update jobs set cancel_asked_at = coalesce(cancel_asked_at, now()), not_before = least(not_before, now())
     where id = any($1::uuid[])`,
    [running],
  );
  return running;
}

/** Who revokes a token no longer trusts what came by it. */
export async function cancelCommandsOfToken(manager: EntityManager, tokenId: string): Promise<void> {
  const rows: { id: string }[] = await manager.query(
    `select id from jobs where kind = 'commands.run' and not is_batch and state in ('queued', 'running')
       and input ->> 'token_id' = $1`,
    [tokenId],
  );
  const jobs = await lockJobs(
    manager,
    rows.map(({ id }) => id),
  );
  const openJobs = jobs.filter(({ state }) => !isFinal(state));
  await stop(manager, openJobs);
  await settleBatches(manager, openJobs);
}
