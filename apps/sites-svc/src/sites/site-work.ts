import { isLatestAttempt, isOpen } from '../queue/job.entity';

/** SQL for the open work of site `s` as JSON, null without any. An index holds the open jobs only. */
export const siteWorkSql = `(
  select json_build_object('job_id', first.id, 'kind', first.kind, 'state', first.state,
    'step', first.progress ->> 'step', 'open', first.open, 'done', (
      select count(*)::int from jobs j
      where j.site_id = first.site_id and j.batch_id = first.batch_id and j.finished_at is not null and ${isLatestAttempt}
        and j.created_at >= (select batch.created_at from jobs batch where batch.id = first.batch_id)))
  from (
    select j.*, count(*) over () as open from jobs j where j.site_id = s.id and ${isOpen('j')}
    order by j.state = 'running' desc, j.created_at, j.id limit 1) first)`;
