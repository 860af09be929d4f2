import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepUptime1795980000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createRing(runner, 'visit_samples', 8, 'code smallint not null, ms int, state smallint not null');
    await createRing(
      runner,
      'visit_quarters',
      10,
      'ups smallint not null, downs smallint not null, others smallint not null, histogram smallint[] not null',
    );
    await runner.query('create index visit_samples_at on visit_samples using brin (at) with (autosummarize = on)');
    await runner.query(`
      create table visit_days (
        site_id uuid not null references sites (id) on delete cascade,
        at timestamptz not null,
        ups int not null,
        downs int not null,
        others int not null,
        histogram int[] not null,
        primary key (site_id, at)
      )`);
    await runner.query('create index visit_days_at on visit_days (at)');
    await runner.query(`
      create table site_certificates (
        site_id uuid primary key references sites (id) on delete cascade,
        ends_at timestamptz not null,
        issuer text not null,
        found_at timestamptz not null default now()
      )`);
    // Until when samples were added to quarters and days.
    await runner.query(`
      create table uptime_cursor (
        id boolean primary key default true check (id),
        until timestamptz not null default date_bin('15 minutes', now(), 'epoch')
      )`);
    await runner.query('insert into uptime_cursor default values');
    await createEmptySlot(runner);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/**
 * A table in a fixed ring of parts that are filled one after the other. A part is emptied as a whole before its turn comes
 * again, which costs nothing: millions of rows a day would be slow to delete.
 */
async function createRing(runner: QueryRunner, table: string, slots: number, columns: string): Promise<void> {
  await runner.query(`
    create table ${table} (
      site_id uuid not null,
      at timestamptz not null,
      slot smallint not null,
      ${columns},
      primary key (site_id, at, slot)
    ) partition by list (slot)`);
  for (let slot = 0; slot < slots; slot += 1) {
    await runner.query(`create table ${table}_${slot} partition of ${table} for values in (${slot})`);
  }
}

/**
 * The service may not truncate tables, so this function does it with the rights of its owner. It gives up soon where a
 * backup of Vigie reads the table: the part is emptied the next time.
 */
async function createEmptySlot(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create function empty_slot(ring text, slot int) returns void language plpgsql security definer
      set search_path from current set lock_timeout = '200ms' as $$
    begin
      if ring not in ('visit_samples', 'visit_quarters') then raise exception 'no ring: %', ring; end if;
      execute format('truncate %I', ring || '_' || slot);
    end $$`);
}
