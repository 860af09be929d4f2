import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NoteRestorations1795610000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Times of `npm run restore`: rows may no longer name files that were stored later.
    await runner.query('create table restorations (at timestamptz primary key)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
