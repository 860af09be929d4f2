import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FindPausedJobs1795358000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "create index jobs_paused on jobs (lane) where state = 'running' and not is_batch and dispatched_at is null",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
