import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of shared sites, and of all sites in the admin mode, have several owners: they would sort all sites for their first page. */
export class OrderSharedSitesByUpdates1795975000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index if not exists sites_updates on sites (updates_count desc nulls last, name, id)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
