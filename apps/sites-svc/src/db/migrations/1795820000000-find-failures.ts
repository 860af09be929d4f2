import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FindFailures1795820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Failures are read often, and are few among all jobs of a month.
    await runner.query(
      "create index if not exists jobs_failed on jobs (coalesce(batch_id, id)) where state in ('failed', 'unknown') and not is_batch",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
