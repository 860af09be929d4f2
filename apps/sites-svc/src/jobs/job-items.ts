import type { JobItem } from '@vigie/contracts/jobs';
import { type EntityManager, In } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { isUndone } from '../queue/failures';
import { isLatestAttempt, Job, toJobItem } from '../queue/job.entity';
import { findSuccessors } from './retries';

/** Describes jobs to the caller, in a number of statements that does not grow with the list. */
export async function toItems(manager: EntityManager, jobs: readonly Job[]): Promise<JobItem[]> {
  const batches = await readBatches(manager, jobs);
  const items = await changedItems(manager, jobs);
  const successors = await findSuccessors(manager, jobs);
  const isVisible = await findVisibleBatches(manager, jobs);
  return jobs.map((job) => ({
    ...toJobItem(job, {
      ...(batches.get(job.id) ?? { counts: job.isBatch ? noCounts : null, targets: null }),
      item: items.get(job.id) ?? null,
      redone_by: successors.get(job.id) ?? null,
    }),
    batch_id: isVisible(job.batchId) ? job.batchId : null,
  }));
}

type Batch = Pick<JobItem, 'counts' | 'targets'>;

const states = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'unknown'] as const;
const noCounts = { total: 0, queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0, unknown: 0, rolled_back: 0 };

const sum = (name: string, condition: string) => `count(*) filter (where ${condition})::int as ${name}`;

/** Counts and names only the jobs that the caller may see. */
async function readBatches(manager: EntityManager, jobs: readonly Job[]): Promise<Map<string, Batch>> {
  const ids = jobs.filter(({ isBatch }) => isBatch).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const counts = [
    ...states.map((state) => sum(state, `state = '${state}'`)),
    sum('rolled_back', isUndone('state', 'error')),
  ];
  const rows: (Batch & { id: string })[] = await manager.query(
    `select id, to_jsonb(c) - array['id', 'first_id', 'targets'] as counts,
       case when name is not null then
         jsonb_build_object('name', name, 'count', targets, 'site_id', site_id, 'server_id', server_id) end as targets
     from (
       select batch_id as id, min(j.id::text)::uuid as first_id, count(*)::int as total, ${counts.join(', ')},
         count(distinct coalesce(site_id, server_id))::int as targets
       from jobs j
       where batch_id = any($1::uuid[]) and ($2::uuid is null or owner_id = $2) and ${isLatestAttempt} group by 1
     ) c cross join lateral (
       select coalesce(site_name, server_name) as name, site_id, server_id from jobs where jobs.id = c.first_id
     ) first_job`,
    [ids, ownerFilter().ownerId ?? null],
  );
  return new Map(rows.map(({ id, ...batch }) => [id, batch]));
}

/** A batch of several owners is visible to the person who requested it; the others see their own jobs. */
async function findVisibleBatches(
  manager: EntityManager,
  jobs: readonly Job[],
): Promise<(id: string | null) => boolean> {
  const { ownerId } = ownerFilter();
  const batches = [...new Set(jobs.flatMap(({ batchId }) => batchId ?? []))];
  if (ownerId === undefined || batches.length === 0) return () => true;
  const visibleBatches = await manager.find(Job, { where: { id: In(batches), ownerId }, select: { id: true } });
  return (id) => visibleBatches.some((batch) => batch.id === id);
}

/** Reads the changed items, by job: the rest of the input is never shown. */
async function changedItems(manager: EntityManager, jobs: readonly Job[]) {
  const changes = jobs.filter(({ kind, isBatch }) => kind.startsWith('changes.') && !isBatch).map(({ id }) => id);
  const rows: { id: string; item: JobItem['item'] }[] =
    changes.length === 0
      ? []
      : await manager.query(
          `select id, jsonb_build_object('kind', input #> '{item,kind}', 'slug', input #> '{item,slug}') as item
           from jobs where id = any($1::uuid[]) and input #> '{item,slug}' is not null`,
          [changes],
        );
  return new Map(rows.map(({ id, item }) => [id, item]));
}
