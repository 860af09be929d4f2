import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSiteViews1795401000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No foreign keys: a view of a deleted group or server finds nothing, like an old link.
    await runner.query(`
      create table site_views (
        id uuid primary key,
        user_id uuid not null,
        name text collate french not null,
        q text not null,
        group_id uuid,
        server_id uuid,
        status text,
        sort text not null,
        columns text[] not null,
        created_at timestamptz not null default now()
      )`);
    await runner.query('create unique index site_views_name on site_views (user_id, lower(name))');
    await runner.query('create index sites_last_backup_at on sites (owner_id, last_backup_at)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
