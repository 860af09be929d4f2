import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ServeTheDashboard1795402000000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock only one of them. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The next probe adds when each alert began.
    await runner.query("alter table servers add column if not exists alerts jsonb not null default '[]'");
    await runner.query(
      "create index if not exists servers_in_alert on servers (owner_id, name, id) where alerts <> '[]'",
    );
    await runner.query(
      'alter table activity add column if not exists job_id uuid, add column if not exists batch_id uuid',
    );
    for (const id of ['batch_id', 'site_id', 'actor_id']) {
      await runner.query(
        `create index if not exists activity_${id} on activity (${id}, created_at desc, id desc) where ${id} is not null`,
      );
    }
    await runner.query(
      "create index if not exists jobs_failed on jobs (finished_at desc) where state in ('failed', 'unknown') and not is_batch",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
