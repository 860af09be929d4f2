import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ForgetOpenJobs1795650000000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock only one of them. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // With statistics from before a large batch, the planner used it instead of a lane's index, and read all of it for each lane.
    await runner.query('drop index concurrently if exists jobs_open');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
