import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NoteRestorations1795610000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // When `npm run restore` put all of this back: files that came later may be named by no row any more.
    await runner.query('create table restorations (at timestamptz primary key)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
