import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateServerHealth1795352000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table servers add column vitals jsonb');
    await runner.query(`
      create table sweeps (
        kind text not null,
        target_id uuid not null,
        next_at timestamptz not null,
        primary key (kind, target_id)
      )`);
    await runner.query('create index sweeps_next_at on sweeps (next_at)');
    await runner.query(
      "insert into sweeps select 'server-health', id, now() + random() * interval '1 minute' from servers",
    );
    await runner.query(`
      create table health_samples (
        server_id uuid not null references servers (id) on delete cascade,
        at timestamptz not null default now(),
        is_up boolean not null,
        load real,
        mem_pct smallint,
        disk_pct smallint,
        primary key (server_id, at)
      )`);
    await runner.query('create index health_samples_at on health_samples using brin (at)');
    await runner.query(`
      create table health_quarters (
        server_id uuid not null references servers (id) on delete cascade,
        at timestamptz not null,
        looks int not null,
        ups int not null,
        load_avg real,
        load_max real,
        mem_pct smallint,
        disk_pct smallint,
        primary key (server_id, at)
      )`);
    await runner.query('create index health_quarters_at on health_quarters (at)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
