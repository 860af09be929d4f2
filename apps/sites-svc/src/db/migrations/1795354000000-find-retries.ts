import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FindRetries1795354000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index jobs_retry_of on jobs (retry_of) where retry_of is not null');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
