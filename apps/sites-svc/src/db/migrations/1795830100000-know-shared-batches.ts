import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KnowSharedBatches1795830100000 implements MigrationInterface {
  /** Services that run take these tables in any order: each statement holds one of them, alone. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What is of several owners: a few of all batches, in which each of those looks for what is theirs.
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
