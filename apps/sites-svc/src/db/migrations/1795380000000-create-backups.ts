import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateBackups1795380000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table local_backups (
        id uuid primary key,
        owner_id uuid not null,
        site_id uuid references sites (id) on delete set null,
        site_name text not null,
        filename text not null,
        size bigint not null,
        sha256 text not null,
        object_key text not null unique,
        made_at timestamptz not null,
        kept_at timestamptz not null default now(),
        goes_at timestamptz,
        verified jsonb,
        unique (owner_id, filename)
      )`);
    await runner.query('create index local_backups_site_id on local_backups (site_id)');
    await runner.query('create index local_backups_goes_at on local_backups (goes_at) where goes_at is not null');
    await runner.query(`
      create table remote_backups (
        site_id uuid not null references sites (id) on delete cascade,
        filename text not null,
        size bigint not null,
        modified_at timestamptz not null,
        verified jsonb,
        primary key (site_id, filename)
      )`);
    await runner.query(`
      create table backup_links (
        token_hash text primary key,
        backup_id uuid not null references local_backups (id) on delete cascade,
        user_id uuid not null,
        filename text not null,
        at bigint not null,
        length bigint not null,
        crc text,
        open_until timestamptz not null,
        good_until timestamptz
      )`);
    await runner.query('create index backup_links_backup_id on backup_links (backup_id)');
    await runner.query('create index backup_links_user_id on backup_links (user_id)');
    await runner.query('alter table sites add column last_backup_at timestamptz');
    await runner.query(
      `create index jobs_open_backups on jobs (site_id)
       where kind like 'backups.%' and not is_batch and state in ('queued', 'running')`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
