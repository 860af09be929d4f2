import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ForgetOpenJobs1795650000000 implements MigrationInterface {
  /** Services that run take these tables in any order: each statement holds one of them, alone. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // With statistics from before a large batch it was taken for the index of a lane, and read whole for each of them.
    await runner.query('drop index concurrently if exists jobs_open');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
