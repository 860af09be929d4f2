import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepIncidents1795980100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createConditions(runner);
    await createIncidents(runner);
    await runner.query(
      'create table network_state (id boolean primary key default true check (id), up_at timestamptz, down_at timestamptz)',
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** What fails now, and what has just stopped failing, with the number of checks in a row. Healthy subjects have no row. */
async function createConditions(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table conditions (
      subject_kind text not null check (subject_kind in ('site', 'server', 'vigie')),
      subject_id uuid not null,
      kind text not null,
      failures int not null,
      successes int not null,
      since timestamptz not null,
      checked_at timestamptz not null,
      evidence jsonb not null,
      opinion jsonb,
      opinion_at timestamptz,
      primary key (subject_id, kind)
    ) with (fillfactor = 70)`);
}

async function createIncidents(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table incidents (
      id uuid primary key,
      kind text not null,
      severity text not null check (severity in ('critical', 'warning', 'info')),
      cause_kind text not null check (cause_kind in ('site', 'server', 'vigie')),
      cause_id uuid not null,
      cause_name text not null,
      observed_at timestamptz not null,
      opened_at timestamptz not null default now(),
      resolved_at timestamptz,
      resolution text check (resolution in ('recovered', 'closed', 'merged', 'removed')),
      acknowledged_at timestamptz,
      acknowledged_by text,
      muted_until timestamptz,
      is_flapping boolean not null default false,
      reopenings int not null default 0,
      check ((resolved_at is null) = (resolution is null))
    )`);
  await runner.query('create unique index incidents_open on incidents (cause_id, kind) where resolved_at is null');
  await runner.query('create index incidents_cause on incidents (cause_id, kind, resolved_at)');
  await runner.query('create index incidents_opened_at on incidents (opened_at)');
  await runner.query(`
    create table incident_subjects (
      incident_id uuid not null references incidents (id) on delete cascade,
      kind text not null,
      subject_id uuid not null,
      name text not null,
      since timestamptz not null,
      until timestamptz,
      evidence jsonb not null,
      opinion jsonb,
      primary key (incident_id, subject_id)
    )`);
  await runner.query('create index incident_subjects_subject on incident_subjects (subject_id, incident_id)');
  await runner.query('create index incident_subjects_open on incident_subjects (subject_id) where until is null');
  await runner.query(`
    create table incident_events (
      id uuid primary key,
      incident_id uuid not null references incidents (id) on delete cascade,
      at timestamptz not null,
      kind text not null,
      by text,
      subject_id uuid,
      subject text,
      text text,
      evidence jsonb,
      opinion jsonb,
      count int,
      until timestamptz
    )`);
  await runner.query('create index incident_events_incident on incident_events (incident_id, at)');
}
