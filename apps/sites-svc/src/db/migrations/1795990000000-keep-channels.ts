import type { MigrationInterface, QueryRunner } from 'typeorm';
import { v7 as uuid } from 'uuid';

export class KeepChannels1795990000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createChannels(runner);
    await createDeliveries(runner);
    await noticeIncidents(runner);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

async function createChannels(runner: QueryRunner): Promise<void> {
  // Without an owner it is one of the installation. Until `held_until` nothing is sent: an attempt is under way, or the
  // other side wants no more for the moment.
  await runner.query(`
    create table channels (
      id uuid primary key,
      owner_id uuid,
      kind text not null,
      name text collate french not null,
      target jsonb,
      host text,
      has_secret boolean not null default false,
      version int not null default 1,
      is_enabled boolean not null default true,
      enabled_at timestamptz not null default now(),
      min_severity text check (min_severity in ('critical', 'warning', 'info')),
      all_groups boolean not null default true,
      quiet_from time,
      quiet_to time,
      time_zone text not null,
      delay_minutes int not null default 0,
      digest_at time,
      digest_due_at timestamptz,
      emails text[] not null default '{}',
      chat_id text,
      held_until timestamptz not null default '-infinity',
      created_at timestamptz not null default now(),
      check ((target is null) = (kind = 'mail')),
      check ((quiet_from is null) = (quiet_to is null)),
      check ((digest_at is null) = (digest_due_at is null))
    )`);
  await runner.query('create index channels_owner_id on channels (owner_id)');
  await runner.query(`
    create table channel_groups (
      channel_id uuid not null references channels (id) on delete cascade,
      group_id uuid not null references groups (id) on delete cascade,
      primary key (channel_id, group_id)
    )`);
  await runner.query('create index channel_groups_group_id on channel_groups (group_id)');
  // A new installation tells its administrators by mail.
  await runner.query(
    `insert into channels (id, kind, name, min_severity, time_zone) values ($1, 'mail', 'Administrateurs', 'warning', 'Europe/Paris')`,
    [uuid()],
  );
}

/** Messages to channels. `claims` counts the attempts that began: an attempt of an older claim changes nothing. */
async function createDeliveries(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table deliveries (
      id uuid primary key,
      channel_id uuid not null references channels (id) on delete cascade,
      incident_id uuid references incidents (id) on delete set null,
      kind text not null,
      message_id uuid not null,
      message jsonb not null,
      state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'cancelled')),
      claims int not null default 0,
      attempts int not null default 0,
      status int,
      answer text,
      error text,
      created_at timestamptz not null default now(),
      next_at timestamptz not null default now(),
      ended_at timestamptz,
      resent_from uuid,
      check ((state = 'queued') = (ended_at is null))
    )`);
  await runner.query(`create index deliveries_queued on deliveries (next_at) where state = 'queued'`);
  await runner.query('create index deliveries_channel on deliveries (channel_id, created_at)');
  await runner.query('create index deliveries_incident on deliveries (incident_id, channel_id, created_at)');
  await runner.query('create index deliveries_created_at on deliveries (created_at)');
}

/** `alerts_due_at` says when channels may have to be told of an incident; null once they know of its end. */
async function noticeIncidents(runner: QueryRunner): Promise<void> {
  await runner.query(
    'alter table incidents add column alerts_due_at timestamptz default now(), add column reopened_at timestamptz',
  );
  await runner.query('create index incidents_alerts_due on incidents (alerts_due_at) where alerts_due_at is not null');
  await runner.query(`
    create function notice_incident() returns trigger language plpgsql as $$
    begin
      new.alerts_due_at := now();
      return new;
    end $$`);
  await runner.query(`
    create trigger notice_incident before update of resolved_at, acknowledged_at, muted_until, reopened_at on incidents
    for each row execute function notice_incident()`);
}
