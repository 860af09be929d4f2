import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NoteWhoKillsChildren1795357000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table servers add column kills_children boolean not null default false');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
