import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Earlier copies contain files only. */
export class KnowOfTablesPutAside1795500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table asides add column if not exists has_tables boolean not null default false');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
