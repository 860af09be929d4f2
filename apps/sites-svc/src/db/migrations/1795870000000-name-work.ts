import type { MigrationInterface, QueryRunner } from 'typeorm';

const isOpen = "state in ('queued', 'running')";

/** Jobs that are open during the upgrade get the key that `workKeyOf` gives to requests for the same work. */
export const nameOpenWork = `
  update jobs set work_key = named.work_key
  from (
    select distinct on (work_key) id, work_key from (
      select id, created_at, kind || ' ' || work as work_key from jobs cross join lateral (
        select case
          when kind like 'changes.%' then concat_ws(' ', site_id, input #>> '{item,kind}',
            coalesce(input #>> '{package,key}', '-'), coalesce(input ->> 'activate', 'false'), input #>> '{item,slug}')
          when kind = 'backups.create' then concat_ws(' ', site_id, input ->> 'exclude_cache')
          else concat_ws(' ', site_id, input ->> 'location', coalesce(input ->> 'mode', '-'),
            coalesce(input ->> 'scope', '-'), input ->> 'filename', coalesce(input ->> 'path', ''))
        end as work) works
      where ${isOpen} and not is_batch and cancel_asked_at is null and (kind like 'changes.%' or kind like 'backups.%')
        and length(work) <= 200
    ) works order by work_key, created_at, id
  ) named where jobs.id = named.id`;

export class NameWork1795870000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column work_key text');
    await runner.query(nameOpenWork);
    await runner.query(`create index jobs_open_work on jobs (work_key) where ${isOpen}`);
    // Checks change nothing: a batch of them may repeat what another one does.
    await runner.query(
      `create unique index jobs_unique_work on jobs (work_key) where ${isOpen} and queue <> 'site-looks'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
