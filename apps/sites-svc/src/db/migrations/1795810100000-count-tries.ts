import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountTries1795810100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Of what was there before, how often it was handed out is all that is known.
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
