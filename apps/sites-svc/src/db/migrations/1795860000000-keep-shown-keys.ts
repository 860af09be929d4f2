import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepShownKeys1795860000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Only a key that the host has shown may replace the pinned one.
    await runner.query('alter table servers add column if not exists shown_key text');
    await runner.query('alter table sites add column if not exists shown_key text');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
