import type { Input } from '@vigie/contracts/contract';
import type { listJobs } from '@vigie/contracts/jobs';
import { type EntityManager, Any } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { isUnresolved } from '../queue/failures';
import { Job, openStates } from '../queue/job.entity';

/** Leaves out the result, which may be as large as two hundred lines. */
const listColumns = {
  id: true,
  kind: true,
  about: true,
  siteId: true,
  siteName: true,
  serverId: true,
  serverName: true,
  state: true,
  progress: true,
  error: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
  attempts: true,
  tries: true,
  actorName: true,
  batchId: true,
  isBatch: true,
  retryOf: true,
  cancelRequestedAt: true,
  acknowledgedAt: true,
  acknowledgedBy: true,
} as const;

type JobListFilters = Input<typeof listJobs>;

/** SQL order within a batch: a failure among thousands of jobs must not be on the last page. */
const urgency = "coalesce(array_position(array['queued', 'running', 'unknown', 'failed'], j.state), 0)";

/**
 * The unfiltered list shows batches instead of their jobs, except for the caller's jobs in somebody else's batch, which
 * the caller cannot see.
 */
export async function findListedJobs(manager: EntityManager, filters: JobListFilters): Promise<Job[]> {
  const { site_id: siteId, server_id: serverId, batch_id: batchId, before, limit } = filters;
  const isFiltered = siteId !== undefined || serverId !== undefined || batchId !== undefined;
  const last = (value: string) => `(select ${value} from jobs j where id = $5)`;
  const keys = [...(batchId === undefined ? [] : [urgency]), 'j.created_at', 'j.id'];
  const orderSql = `order by ${keys.map((key) => `${key} desc`).join(', ')} limit $6`;
  const lines = (from: string, condition: string) =>
    `select j.id, j.created_at from ${from}
     where ($1::uuid is null or j.owner_id = $1) and ($2::uuid is null or j.site_id = $2)
       and ($3::uuid is null or j.server_id = $3) and ($4::uuid is null or j.batch_id = $4)
       and ($5::uuid is null or (${keys.join(', ')}) < (${keys.map(last).join(', ')}))
       and ${condition} ${orderSql}`;
  const matchesState = stateCondition(filters.state, true);
  const unbatched = lines('jobs j', `j.batch_id is null and ${stateCondition(filters.state, false)}`);
  const shared = lines(
    'jobs b join jobs j on j.batch_id = b.id',
    `b.is_shared and b.owner_id <> $1 and ${matchesState}`,
  );
  const rows: { id: string }[] = await manager.query(
    isFiltered
      ? lines('jobs j', matchesState)
      : `select j.id from ((${unbatched}) union all (${shared})) j ${orderSql}`,
    [ownerFilter().ownerId, siteId, serverId, batchId, before, limit].map((value) => value ?? null),
  );
  const ids = rows.map(({ id }) => id);
  const jobs = await manager.find(Job, { where: { id: Any(ids) }, select: listColumns });
  const jobsById = new Map(jobs.map((job) => [job.id, job]));
  return ids.flatMap((id) => jobsById.get(id) ?? []);
}

/** A batch counts as failed when any of its visible jobs is an unresolved failure. */
function stateCondition(state: JobListFilters['state'], isSingleJob: boolean): string {
  if (state === undefined) return 'true';
  if (state === 'open') return `j.state in ('${openStates.join("', '")}')`;
  if (state !== 'failures') return `j.state = '${state}'`;
  if (isSingleJob) return isUnresolved('j');
  return `j.id in (select coalesce(batch_id, id) from jobs f
    where ${isUnresolved('f')} and ($1::uuid is null or owner_id = $1))`;
}
