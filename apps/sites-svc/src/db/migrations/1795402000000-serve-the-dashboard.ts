import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ServeTheDashboard1795402000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Since when a server is in alert is known from the next look at it on.
    await runner.query("alter table servers add column alerts jsonb not null default '[]'");
    await runner.query("create index servers_in_alert on servers (owner_id, name, id) where alerts <> '[]'");
    await runner.query('alter table activity add column job_id uuid, add column batch_id uuid');
    const latest = 'created_at desc, id desc';
    await runner.query(`create index activity_batch_id on activity (batch_id, ${latest}) where batch_id is not null`);
    await runner.query(`create index activity_site_id on activity (site_id, ${latest}) where site_id is not null`);
    await runner.query(`create index activity_actor_id on activity (actor_id, ${latest}) where actor_id is not null`);
    await runner.query(
      "create index jobs_failed on jobs (finished_at desc) where state in ('failed', 'unknown') and not is_batch",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
