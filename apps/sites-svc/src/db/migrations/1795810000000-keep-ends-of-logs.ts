import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepEndsOfLogs1795810000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column if not exists log_cut int');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
