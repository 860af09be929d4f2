import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NoteJobsPassedBy1795355000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column passed_by_at timestamptz');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
