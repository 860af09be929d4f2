import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How the calls of each sign of life go. The calls themselves are not kept: one a minute would bury the messages.
 * `due_at` moves when a replica claims the next call, so that no other one makes it too.
 */
export class GiveSignsOfLife1796140000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table channel_heartbeats (
        channel_id uuid primary key references channels (id) on delete cascade,
        due_at timestamptz not null default now(),
        called_at timestamptz,
        accepted_at timestamptz,
        status int,
        error text,
        missing jsonb not null default '[]',
        tests int not null default 0,
        tests_since timestamptz not null default now()
      )`);
    await runner.query(`
      alter table channels add constraint channels_heartbeat
        check (kind <> 'heartbeat' or owner_id is null and min_severity is null)`);
    // One row: when a gateway last said that it lives.
    await runner.query(`
      create table gateway_reports (
        id boolean primary key default true check (id),
        reported_at timestamptz not null
      )`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
