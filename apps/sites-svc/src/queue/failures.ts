import { changeCodes } from '@vigie/contracts/change-codes';
import { hasFailed } from './job.entity';

/** SQL: the change hurt the site, which is as it was before. */
export const isUndone = (state: string, error: string): string =>
  `coalesce(${state} = 'failed' and ${error} ->> 'code' = '${changeCodes.rolledBack}' and not ${error} ? 'still', false)`;

/**
 * SQL for the jobs that did the work of an unsuccessful job later, however they were started. Any later backup of a site
 * does the work of a failed one.
 */
export const laterSuccesses = (row: string) => `select later.id from jobs later
  where coalesce(later.site_id, later.server_id) = coalesce(${row}.site_id, ${row}.server_id) and later.kind = ${row}.kind
    and later.state = 'succeeded' and not later.is_batch and later.created_at > ${row}.created_at
    and later.input #> '{item,kind}' is not distinct from ${row}.input #> '{item,kind}'
    and later.input #> '{item,slug}' is not distinct from ${row}.input #> '{item,slug}'
    and later.input -> 'command' is not distinct from ${row}.input -> 'command'
    and (${row}.kind = 'backups.create' or ${row}.input ? 'item' or later.about is not distinct from ${row}.about)`;

/** SQL: the job failed, and nobody has taken note of it, retried it or done its work since. */
export const isUnresolved = (row: string) => `${row}.${hasFailed} and not ${row}.is_batch
  and ${row}.acknowledged_at is null
  and not exists (select from jobs again where again.retry_of = ${row}.id)
  and not exists (${laterSuccesses(row)})`;
