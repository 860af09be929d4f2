import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the last report of visits came. A long time without one is a time in which nobody watched. */
export class NoteVisits1796130000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table network_state add column visited_at timestamptz');
    await runner.query(
      'insert into network_state (visited_at) values (now()) on conflict (id) do update set visited_at = now()',
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
