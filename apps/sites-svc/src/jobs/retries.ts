import { AppError } from '@vigie/contracts/errors';
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

/** SQL for the retry of an unsuccessful job that succeeded, or else another job that did the work of a failed one since. */
export const successorSql = (row: string) => `(
  select done.id from (
    (${retryChain(`${row}.id`)} select id from chain join jobs same using (id) where same.state = 'succeeded' limit 1)
    union all (${laterSuccesses(row)} and ${row}.${hasFailed} limit 1)) done limit 1)`;

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
