import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FindServersThatAreDown1795830000000 implements MigrationInterface {
  /** Services that run take these tables in any order: each statement holds one of them, alone. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Apart from the status, which each look writes anew: an index on that would be written with every look.
    await runner.query(`
      alter table servers add column if not exists is_down boolean not null
        generated always as (coalesce(status @> '{"online": false}', false)) stored`);
    // Of ten thousand servers these come first, among one's own and among all.
    await runner.query('create index if not exists servers_listed on servers (owner_id, is_down desc, name, id)');
    await runner.query('create index if not exists servers_down on servers (is_down desc, name, id)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
