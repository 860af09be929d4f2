import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountTries1795810100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // For older jobs only the number of dispatches is known.
    await runner.query(`
      alter table jobs
        add column if not exists tries int,
        alter column tries set default 0,
        add column if not exists passings int not null default 0`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
