import type { Input } from '@vigie/contracts/contract';
import type { listJobs } from '@vigie/contracts/jobs';
import { partOf, queryPrepared } from '@vigie/service-kit/database';
import type { EntityManager } from 'typeorm';
import { reachesJob, reachesRowOfSite, reachingCaller, sharedRole } from '../owners/reach';
import { isUnresolved } from '../queue/failures';
import { openStates } from '../queue/job.entity';

type JobListFilters = Input<typeof listJobs>;

/** SQL order within a batch: a failure among thousands of jobs must not be on the last page. */
const urgency = "coalesce(array_position(array['queued', 'running', 'unknown', 'failed'], j.state), 0)";

/**
 * The unfiltered list shows batches instead of their jobs, except for the caller's jobs in somebody else's batch, which
 * the caller cannot see.
 */
export async function findListedJobs(manager: EntityManager, filters: JobListFilters): Promise<string[]> {
  const { site_id: siteId, server_id: serverId, batch_id: batchId, before, limit } = filters;
  const values: unknown[] = [reachingCaller()];
  const add = (value: unknown) => `$${values.push(value)}`;
  const keys = [...(batchId === undefined ? [] : [urgency]), 'j.created_at', 'j.id'];
  const orderSql = `order by ${keys.map((key) => `${key} desc`).join(', ')} ${partOf({ limit }, add)}`;
  const conditions = Object.entries({ site_id: siteId, server_id: serverId, batch_id: batchId }).flatMap(
    ([column, id]) => (id === undefined ? [] : [`j.${column} = ${add(id)}`]),
  );
  const isFiltered = conditions.length > 0;
  if (before !== undefined) {
    const lastAt = add(before);
    const last = keys.map((key) => `(select ${key} from jobs j where id = ${lastAt})`);
    conditions.push(`(${keys.join(', ')}) < (${last.join(', ')})`);
  }
  const lines = (from: string, ...more: string[]) =>
    `select j.id, j.created_at from ${from} where ${[reachesJob('j', '$1'), ...conditions, ...more].join(' and ')} ${orderSql}`;
  const matchesState = stateCondition(filters.state, true);
  const unbatched = lines('jobs j', `j.batch_id is null and ${stateCondition(filters.state, false)}`);
  const isForeign = sharedRole() ? `${reachesJob('b', '$1')} is not true` : 'b.is_shared and b.owner_id <> $1';
  const shared = lines('jobs b join jobs j on j.batch_id = b.id', `${isForeign} and ${matchesState}`);
  const rows = await queryPrepared<{ id: string }>(
    manager,
    isFiltered
      ? lines('jobs j', matchesState)
      : `select j.id from ((${unbatched}) union all (${shared})) j ${orderSql}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** A batch counts as failed when any of its visible jobs is an unresolved failure. */
function stateCondition(state: JobListFilters['state'], isSingleJob: boolean): string {
  if (state === undefined) return 'true';
  if (state === 'open') return `j.state in ('${openStates.join("', '")}')`;
  if (state !== 'failures') return `j.state = '${state}'`;
  if (isSingleJob) return isUnresolved('j');
  return `j.id in (select coalesce(batch_id, id) from jobs f
    where ${isUnresolved('f')} and ${reachesRowOfSite('f', '$1')})`;
}
