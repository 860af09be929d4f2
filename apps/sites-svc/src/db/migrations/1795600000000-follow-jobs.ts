import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FollowJobs1795600000000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock only one of them. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The trace of the request that created the job.
    await runner.query('alter table jobs add column if not exists traceparent text');
    // Metrics count open jobs at each scrape, however long the backlog.
    await runner.query(
      "create index if not exists jobs_open on jobs (kind, state, created_at) where state in ('queued', 'running') and not is_batch",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
