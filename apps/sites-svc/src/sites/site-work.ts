import type { SiteWork } from '@vigie/contracts/sites';
import type { EntityManager } from 'typeorm';
import { isLatestAttempt, isOpen } from '../queue/job.entity';

/** Finds the open jobs of these sites, in one statement, by an index that holds open jobs only. */
export async function findWork(manager: EntityManager, siteIds: readonly string[]): Promise<Map<string, SiteWork>> {
  if (siteIds.length === 0) return new Map();
  const rows: (SiteWork & { site_id: string })[] = await manager.query(
    `select first.*, (
       select count(*)::int from jobs j
       where j.site_id = first.site_id and j.batch_id = first.batch_id and j.finished_at is not null and ${isLatestAttempt}
         and j.created_at >= (select batch.created_at from jobs batch where batch.id = first.batch_id)) as done
     from (
       select distinct on (j.site_id) j.site_id, j.batch_id, j.id as job_id, j.kind, j.state, j.progress ->> 'step' as step,
         (count(*) over (partition by j.site_id))::int as open
       from jobs j where j.site_id = any($1::uuid[]) and ${isOpen('j')}
       order by j.site_id, j.state = 'running' desc, j.created_at, j.id) first`,
    [siteIds],
  );
  return new Map(
    rows.map(({ site_id: siteId, job_id, kind, state, step, open, done }) => [
      siteId,
      { job_id, kind, state, step, open, done },
    ]),
  );
}
