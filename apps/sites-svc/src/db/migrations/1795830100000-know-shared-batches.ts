import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KnowSharedBatches1795830100000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock only one of them. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Batches over several owners are few, and each owner searches them for his own jobs.
    await runner.query('alter table jobs add column if not exists is_shared boolean not null default false');
    await runner.query(
      `update jobs b set is_shared = true where is_batch and not is_shared
         and exists (select from jobs j where j.batch_id = b.id and j.owner_id <> b.owner_id)`,
    );
    await runner.query('create index if not exists jobs_shared on jobs (owner_id) where is_shared');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
