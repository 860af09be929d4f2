import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountHurries1795850000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // When an inspection was brought forward, and how often lately: the next delay is longer.
    await runner.query(
      'alter table sweeps add column if not exists hurried_at timestamptz, add column if not exists hurries int not null default 0',
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
