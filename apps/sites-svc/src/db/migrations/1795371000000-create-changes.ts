import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateChanges1795371000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table asides (
        id uuid primary key,
        site_id uuid not null references sites (id) on delete cascade,
        kind text not null check (kind in ('core', 'plugin', 'theme')),
        slug text not null,
        version text,
        bytes bigint not null,
        made_at timestamptz not null,
        unique (site_id, kind, slug)
      )`);
    await runner.query('create index asides_made_at on asides (made_at)');
    await runner.query(`
      create table site_licences (
        site_id uuid not null references sites (id) on delete cascade,
        kind text not null check (kind in ('core', 'plugin', 'theme')),
        slug text not null,
        version text,
        since timestamptz not null default now(),
        primary key (site_id, kind, slug)
      )`);
    await runner.query('create index site_licences_since on site_licences (since)');
    await runner.query('alter table uploads add column unpacked bigint');
    await runner.query(
      `create index jobs_open_changes on jobs (site_id)
       where is_exclusive and not is_batch and state in ('queued', 'running')`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
