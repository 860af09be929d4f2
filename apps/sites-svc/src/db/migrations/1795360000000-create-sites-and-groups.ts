import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSitesAndGroups1795360000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The order of the status in lists.
    await runner.query("create type site_status as enum ('error', 'warning', 'ok')");
    await widenSites(runner);
    await runner.query(`
      create table site_extensions (
        site_id uuid not null references sites (id) on delete cascade,
        type text not null check (type in ('plugin', 'theme')),
        slug text not null,
        kind text not null check (kind in ('regular', 'must_use', 'drop_in')),
        file text not null default '',
        name text collate french not null,
        version text,
        status text not null check (status in ('active', 'inactive')),
        is_network_active boolean not null,
        parent text,
        has_update boolean not null,
        new_version text,
        primary key (site_id, type, slug, kind, file)
      )`);
    await runner.query('create index site_extensions_slug on site_extensions (type, slug)');
    await runner.query('create index site_extensions_updates on site_extensions (type, slug) where has_update');
    await createGroups(runner);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

async function widenSites(runner: QueryRunner): Promise<void> {
  // Null until the first scan or inspection.
  await runner.query(`
    alter table sites
      add column host text,
      add column port int check (port between 1 and 65535),
      add column login text,
      add column wp_path text,
      add column credential jsonb,
      add column credential_for jsonb,
      add column method text check (method in ('password', 'key', 'pair')),
      add column public_key text,
      add column host_key text,
      add column version int not null default 1,
      add column refusal text,
      add column ssh_error text,
      add column http jsonb,
      add column problem jsonb,
      add column facts jsonb,
      add column mark text,
      add column php_binary text,
      add column php_version text collate french,
      add column wp_version text collate french,
      add column new_wp_version text,
      add column plugins_count int,
      add column themes_count int,
      add column updates_core int,
      add column updates_plugins int,
      add column updates_themes int,
      add column read_at timestamptz,
      add column inspected_at timestamptz,
      add column inspected_mark text,
      add column created_at timestamptz not null default now(),
      add column updates_count int generated always as (updates_core + updates_plugins + updates_themes) stored,
      add column status site_status generated always as (case
        when read_at is null and ssh_error is null then null
        when ssh_error is not null or problem is not null then 'error'::site_status
        when (http ->> 'code')::int = 0 or (http ->> 'code')::int >= 500 then 'error'::site_status
        when (http ->> 'code')::int >= 400 or updates_core + updates_plugins + updates_themes > 0
          then 'warning'::site_status
        else 'ok'::site_status end) stored,
      add constraint sites_credential check ((credential is null) = (method is null))`);
  await runner.query('drop index sites_owner_id');
  await runner.query('create index sites_owner_id on sites (owner_id, name, id)');
  await runner.query('create index sites_name on sites (name, id)');
  await runner.query('create index sites_status on sites (owner_id, status, name)');
  await runner.query('create index sites_place on sites (server_id, wp_path)');
}

async function createGroups(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table groups (
      id uuid primary key,
      owner_id uuid not null,
      name text collate french not null,
      description text,
      parent_id uuid references groups (id),
      created_at timestamptz not null default now()
    )`);
  await runner.query('create index groups_owner_id on groups (owner_id, name)');
  await runner.query('create index groups_parent_id on groups (parent_id)');
  for (const [table, member, of] of [
    ['site_groups', 'site_id', 'sites'],
    ['server_groups', 'server_id', 'servers'],
  ]) {
    await runner.query(`
      create table ${table} (
        group_id uuid not null references groups (id) on delete cascade,
        ${member} uuid not null references ${of} (id) on delete cascade,
        primary key (group_id, ${member})
      )`);
    await runner.query(`create index ${table}_${member} on ${table} (${member})`);
  }
}
