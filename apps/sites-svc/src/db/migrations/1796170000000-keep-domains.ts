import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When registered domains end, and where the names of sites lead. */
export class KeepDomains1796170000000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock few of them, and for a moment. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists domains (
        id uuid primary key,
        name text not null unique,
        state text not null default 'unknown' check (state in ('known', 'unknown', 'failed')),
        phase text not null default 'usual' check (phase in ('usual', 'renewing', 'lapsed')),
        expires_at timestamptz,
        registrar text,
        error text,
        server text,
        checked_at timestamptz,
        next_at timestamptz not null default now(),
        claimed_at timestamptz
      )`);
    await runner.query('create index if not exists domains_next_at on domains (next_at)');
    await runner.query(
      'create index if not exists domains_claimed_at on domains (claimed_at) where claimed_at is not null',
    );
    await runner.query('create index if not exists domains_server on domains (server)');
    // A site that has no registered domain has a row too, so that it is not looked at again until its address changes.
    await runner.query(`
      create table if not exists site_domains (
        site_id uuid primary key references sites (id) on delete cascade,
        url text not null,
        domain_id uuid references domains (id)
      )`);
    await runner.query('create index if not exists site_domains_domain on site_domains (domain_id)');
    await runner.query(`
      create table if not exists site_addresses (
        site_id uuid primary key references sites (id) on delete cascade,
        host text not null,
        known text[] not null,
        current text[] not null,
        previous text[] not null,
        changed_at timestamptz,
        learned_at timestamptz not null,
        is_accepted boolean not null default false
      )`);
    await runner.query('alter table incidents drop constraint if exists incidents_cause_kind_check');
    await runner.query(
      "alter table incidents add constraint incidents_cause_kind_check check (cause_kind in ('site', 'server', 'vigie', 'domain'))",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
