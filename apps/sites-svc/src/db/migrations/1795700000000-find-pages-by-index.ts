import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The search text as it was made from whole addresses. */
const searchText = `lower(translate(regexp_replace(
  normalize((name || ' ' || regexp_replace(url, '^https?://(www[.])?', '')) collate french, NFD), '[\\u0300-\\u036F]', '', 'g'),
  '’''', '  '))`;

/** Counts updates as `maj:` does, even when the check of one kind never succeeded. */
const updatesCount = `case when coalesce(updates_core, updates_plugins, updates_themes) is not null
  then coalesce(updates_core, 0) + coalesce(updates_plugins, 0) + coalesce(updates_themes, 0) end`;

/** Finds and counts the sites of a page in indexes, without reading their wide rows. */
export class FindPagesByIndex1795700000000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock only one of them. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Cut to fit into an index entry: an address may be of any length.
    await runner.query(`
      alter table sites drop column if exists search_text, drop column if exists updates_count,
        add column search_text text collate "C" generated always as (left(${searchText}, 400)) stored,
        add column updates_count int generated always as (${updatesCount}) stored`);
    await runner.query('create index if not exists sites_found on sites (owner_id, search_text)');
    await runner.query(
      `create index if not exists sites_listed on sites (owner_id, name, id)
       include (status, read_at, last_backup_at, updates_core, updates_plugins, updates_themes, search_text, server_id)`,
    );
    await runner.query('drop index if exists sites_owner_id');
    await runner.query(
      'create index if not exists sites_waiting on sites (owner_id, updates_count desc nulls last, name, id)',
    );
    // Vacuums early: index scans read the table for rows written since the last vacuum, and sites are written all the time.
    await runner.query('alter table sites set (autovacuum_vacuum_scale_factor = 0.02)');
    await runner.query('create index if not exists uploads_owner_id on uploads (owner_id, created_at desc, id desc)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
