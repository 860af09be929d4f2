import { AppError } from '@vigie/contracts/errors';
import { isFinal } from '@vigie/contracts/jobs';
import type { EntityManager } from 'typeorm';
import { laterSuccesses } from '../queue/failures';
import { hasFailed, type Job, openStates } from '../queue/job.entity';

/** SQL for a job and all jobs connected to it by retries, in either direction: all did the same work. */
const retryChain = (jobId: string) => `
  with recursive chain as (
    select id, retry_of from jobs where id = ${jobId}
    union
    select near.id, near.retry_of from chain c cross join lateral (
      select id, retry_of from jobs where id = c.retry_of
      union all select id, retry_of from jobs where retry_of = c.id
      union all select id, retry_of from jobs where retry_of = c.retry_of
    ) near
  )`;

const isUnderWay = `state in ('${openStates.join("', '")}')`;

/** SQL: a retry of the job has succeeded or is open. */
export const hasSuccessfulRetry = (row: string) =>
  `exists (${retryChain(`${row}.id`)} select from chain join jobs same using (id) where same.state = 'succeeded' or same.${isUnderWay})`;

/** Maps unsuccessful jobs to the retry that succeeded, or failed jobs to another job that did their work since. */
export async function findSuccessors(manager: EntityManager, jobs: readonly Job[]): Promise<Map<string, string>> {
  const unsuccessful = jobs.filter(({ state, isBatch }) => isFinal(state) && state !== 'succeeded' && !isBatch);
  if (unsuccessful.length === 0) return new Map();
  const rows: { id: string; by: string }[] = await manager.query(
    `select j.id, done.id as by from jobs j cross join lateral (
       (${retryChain('j.id')} select id from chain join jobs same using (id) where same.state = 'succeeded' limit 1)
       union all (${laterSuccesses('j')} and j.${hasFailed} limit 1) limit 1
     ) done where j.id = any($1::uuid[])`,
    [unsuccessful.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, by }) => [id, by]));
}

/** Locks the whole chain of retries, of the job or of its batch, until the transaction ends. */
export async function lockRetries(manager: EntityManager, { id, batchId }: Pick<Job, 'id' | 'batchId'>): Promise<void> {
  await manager.query(
    `with recursive up as (
       select id, retry_of from jobs where id = $1
       union all select j.id, j.retry_of from up join jobs j on j.id = up.retry_of)
     select pg_advisory_xact_lock(hashtext(current_schema() || '.retry.' || coalesce(retry_of, id))) from up
     where not exists (select from jobs first where first.id = up.retry_of)`,
    [batchId ?? id],
  );
}

/** A batch is not refused for a success: its jobs are checked one by one. */
export async function refuseRetried(manager: EntityManager, { id, isBatch }: Job): Promise<void> {
  const [chain]: { is_open: boolean; is_done: boolean }[] = await manager.query(
    `${retryChain('$1')} select bool_or(${isUnderWay}) as is_open, bool_or(state = 'succeeded') as is_done
     from chain join jobs using (id)`,
    [id],
  );
  if (chain?.is_open) throw new AppError('conflict', isBatch ? batchRetryRunning : retryRunning);
  if (chain?.is_done && !isBatch) throw new AppError('conflict', retrySucceeded);
}

const retryRunning = 'Cette tâche a déjà été relancée, et la nouvelle n’est pas terminée\u00a0: suivez celle-là.';
const batchRetryRunning = 'Ce lot a déjà été relancé, et le nouveau n’est pas terminé\u00a0: suivez celui-là.';
export const stillCancelling =
  'La tâche qui a été relancée s’annule encore\u00a0: attendez qu’elle soit terminée, puis relancez-la.';
const retrySucceeded =
  'Cette tâche a déjà été relancée avec succès\u00a0: pour la refaire, demandez-la de nouveau depuis son site ou son serveur.';
export const batchRetrySucceeded =
  'Ce lot a déjà été relancé avec succès\u00a0: il n’y reste aucun échec. ' +
  'Une tâche annulée se relance depuis sa propre ligne.';
