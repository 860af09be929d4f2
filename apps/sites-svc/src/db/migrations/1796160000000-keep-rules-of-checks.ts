import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What sites must show, how often those of a group are visited, and when failed checks are no incident. */
export class KeepRulesOfChecks1796160000000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock few of them, and for a moment. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists site_check_rules (
        site_id uuid primary key references sites (id) on delete cascade,
        expected_text text,
        redirects_to text,
        found text,
        check (num_nonnulls(expected_text, redirects_to) > 0)
      )`);
    await runner.query(
      'alter table groups add column if not exists visit_minutes smallint check (visit_minutes in (1, 2, 5, 15, 60))',
    );
    // Tells at once that no group says how often its sites are visited.
    await runner.query(
      'create index if not exists groups_visit_minutes on groups (visit_minutes) where visit_minutes is not null',
    );
    // How often the subject is checked: failures that are three times as old have nothing to do with those of now.
    await runner.query('alter table conditions add column if not exists seconds real not null default 60');
    // For when the visits were planned of which none is stored yet.
    await runner.query('alter table network_state add column if not exists expected_at timestamptz');
    await createWindows(runner);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** Once, or on days of each week (1 is Monday) in a time zone. */
async function createWindows(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table if not exists maintenance_windows (
      id uuid primary key,
      site_id uuid references sites (id) on delete cascade,
      group_id uuid references groups (id) on delete cascade,
      starts_at timestamptz,
      ends_at timestamptz,
      weekdays smallint[],
      at time,
      minutes int check (minutes between 1 and 1440),
      time_zone text,
      note text,
      created_by text not null,
      created_at timestamptz not null default now(),
      check (num_nonnulls(site_id, group_id) = 1),
      check (num_nonnulls(starts_at, ends_at) in (0, 2)),
      check (num_nonnulls(weekdays, at, minutes, time_zone) = case when starts_at is null then 4 else 0 end),
      check (starts_at < ends_at)
    )`);
  for (const column of ['site_id', 'group_id']) {
    await runner.query(
      `create index if not exists maintenance_windows_${column} on maintenance_windows (${column}) where ${column} is not null`,
    );
  }
}
