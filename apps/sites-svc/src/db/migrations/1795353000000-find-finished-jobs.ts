import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FindFinishedJobs1795353000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index jobs_finished_at on jobs (finished_at) where finished_at is not null');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
