import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The largest known number of updates of one kind; null when none is known. */
const maxWaiting = 'greatest(updates_core, updates_plugins, updates_themes)';

/** The status ignored known updates of one kind when the check of another kind had never succeeded. */
export class WarnOfKnownUpdates1795800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Dropping the column also drops its indexes.
    await runner.query(`
      alter table sites drop column status,
        add column status site_status generated always as (case
          when read_at is null and ssh_error is null then null
          when ssh_error is not null or problem is not null then 'error'::site_status
          when (http ->> 'code')::int = 0 or (http ->> 'code')::int >= 500 then 'error'::site_status
          when (http ->> 'code')::int >= 400 or ${maxWaiting} > 0 then 'warning'::site_status
          else 'ok'::site_status end) stored`);
    await runner.query('create index sites_status on sites (owner_id, status, name)');
    await runner.query(
      `create index sites_listed on sites (owner_id, name, id)
       include (status, read_at, last_backup_at, updates_core, updates_plugins, updates_themes, updates_count, search_text,
         server_id)`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
