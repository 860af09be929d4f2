import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FindServersThatAreDown1795830000000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock only one of them. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Separate from the status, which every probe writes: an index on that would be written each time too.
    await runner.query(`
      alter table servers add column if not exists is_down boolean not null
        generated always as (coalesce(status @> '{"online": false}', false)) stored`);
    // Lists begin with these servers, for one owner or for all.
    await runner.query('create index if not exists servers_listed on servers (owner_id, is_down desc, name, id)');
    await runner.query('create index if not exists servers_down on servers (is_down desc, name, id)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
