import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FindFailures1795820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // They are asked for again and again, and are few among all that ended within a month.
    await runner.query(
      "create index if not exists jobs_failed on jobs (coalesce(batch_id, id)) where state in ('failed', 'unknown') and not is_batch",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
