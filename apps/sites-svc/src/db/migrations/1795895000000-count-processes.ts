import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountProcesses1795895000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['health_samples', 'health_quarters']) {
      await runner.query(`alter table ${table} add column if not exists procs int`);
    }
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
