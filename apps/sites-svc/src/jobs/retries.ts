import { AppError } from '@vigie/contracts/errors';
import { isFinal } from '@vigie/contracts/jobs';
import type { EntityManager } from 'typeorm';
import { type Job, openStates } from './job.entity';

/** In SQL, with its ids: the job `of`, what it is a retry of, what is one of either, and so on: all the same work. */
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

/** In SQL, of a job: it was asked for again, and that has succeeded or is under way. */
export const hasSuccessfulRetry = (row: string) =>
  `exists (${retryChain(`${row}.id`)} select from chain join jobs same using (id) where same.state = 'succeeded' or same.${isUnderWay})`;

/** Of jobs that did not succeed, the one of the same work that did, by their ids. */
export async function findSuccessfulRetries(
  manager: EntityManager,
  jobs: readonly Job[],
): Promise<Map<string, string>> {
  const unsuccessful = jobs.filter(({ state, isBatch }) => isFinal(state) && state !== 'succeeded' && !isBatch);
  if (unsuccessful.length === 0) return new Map();
  const rows: { id: string; by: string }[] = await manager.query(
    `select j.id, done.id as by from jobs j cross join lateral (
       ${retryChain('j.id')} select id from chain join jobs same using (id) where same.state = 'succeeded' limit 1
     ) done where j.id = any($1::uuid[])`,
    [unsuccessful.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, by }) => [id, by]));
}

/** Until the end of the transaction nobody else asks for the same again, or for what is in a batch with it. */
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

/** Of a batch some may be done and others not, which is for each of them to say. */
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
  'Ce lot a déjà été relancé avec succès\u00a0: aucun échec n’y est à relancer. ' +
  'Une tâche annulée se relance depuis sa propre ligne.';
