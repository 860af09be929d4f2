import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FollowJobs1795600000000 implements MigrationInterface {
  /** Services that run take these tables in any order: each statement holds one of them, alone. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The step of a trace that asked for it.
    await runner.query('alter table jobs add column if not exists traceparent text');
    // What is open is counted each time that somebody measures, however long the backlog.
    await runner.query(
      "create index if not exists jobs_open on jobs (kind, state, created_at) where state in ('queued', 'running') and not is_batch",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
