import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NoteWhatWasHeard1795359000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column heard int not null default 0');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
