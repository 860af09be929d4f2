import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LinkMergedIncidents1796120000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table incidents add column merged_into uuid references incidents (id) on delete set null',
    );
    await runner.query('create index incidents_merged_into on incidents (merged_into) where merged_into is not null');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
