import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepTokensOfProposals1795970500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Older proposals have no token that could be checked, and show more than others may read.
    await runner.query('delete from proposals');
    await runner.query('alter table proposals add column token_id uuid, add column place text');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
