import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AcknowledgeJobs1795880000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column acknowledged_at timestamptz, add column acknowledged_by text');
    // Tells of each failure, among all failures of a month, whether its work succeeded later.
    await runner.query(
      `create index jobs_succeeded on jobs ((coalesce(site_id, server_id)), kind, created_at)
       where state = 'succeeded' and not is_batch`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
