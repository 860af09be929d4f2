import { createAudit } from '@vigie/service-kit/audit';
import { createIdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { createOutbox, createOutboxCursors } from '@vigie/service-kit/outbox';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDns1795400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createConfigs(runner);
    await createZones(runner);
    await createSnapshots(runner);
    await createAudit(runner);
    await createOutbox(runner);
    await createOutboxCursors(runner);
    await createIdempotencyKeys(runner);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

async function createConfigs(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table configs (
      id uuid primary key,
      owner_id uuid not null unique,
      mode text not null check (mode in ('global_key', 'api_token')),
      email text,
      api_key jsonb not null,
      notes text,
      problem text,
      zones_read_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (mode = 'api_token' or email is not null)
    )`);
  // Ids of deleted users and sites, kept while an operation of theirs may still be running.
  await runner.query(`
    create table gone (
      id uuid primary key,
      at timestamptz not null default now()
    )`);
}

async function createZones(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table zones (
      config_id uuid not null references configs on delete cascade,
      id text not null,
      name text not null,
      display_name text not null,
      status text not null,
      created_at timestamptz,
      facts jsonb not null,
      next_look_at timestamptz not null default now(),
      primary key (config_id, id)
    )`);
  await runner.query('create index zones_id on zones (id)');
  await runner.query('create index zones_next_look_at on zones (next_look_at)');
  await runner.query(`
    create table links (
      site_id uuid primary key,
      config_id uuid not null references configs on delete cascade,
      zone_id text not null,
      zone_name text not null,
      auto_sync boolean not null default false,
      linked_at timestamptz not null default now(),
      constraint links_zone unique (config_id, zone_id)
    )`);
}

async function createSnapshots(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table snapshots (
      id uuid primary key,
      config_id uuid not null references configs on delete cascade,
      zone_id text not null,
      at timestamptz not null default now(),
      reason text not null,
      actor_id uuid,
      actor_name text,
      counts jsonb not null,
      total int not null,
      version text not null,
      is_drift boolean not null,
      records jsonb not null
    )`);
  await runner.query('create index snapshots_zone on snapshots (config_id, zone_id, id desc)');
  // One writer per zone at a time, over all replicas.
  await runner.query(`
    create table zone_turns (
      zone_id text primary key,
      holder uuid not null,
      until timestamptz not null
    )`);
}
