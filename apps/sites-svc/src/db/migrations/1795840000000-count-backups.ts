import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountBackups1795840000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Counts added and removed archives: a listing from before such a change is outdated.
    await runner.query('alter table sites add column if not exists backups_turn int not null default 0');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
