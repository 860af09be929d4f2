import { createAudit } from '@vigie/service-kit/audit';
import { createIdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateServers1795349000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Sorts É with E, and web2 before web10.
    await runner.query("create collation french (provider = icu, locale = 'fr-u-kn-true')");
    await runner.query(`
      create table owners (
        user_id uuid primary key,
        is_admin boolean not null,
        heir_id uuid
      )`);
    await runner.query(`
      create table servers (
        id uuid primary key,
        owner_id uuid not null,
        name text collate french not null,
        host text not null,
        port int not null check (port between 1 and 65535),
        login text not null,
        provider text collate french,
        type text not null check (type in ('prod', 'dev', 'backup')),
        credential jsonb not null,
        method text not null check (method in ('password', 'key')),
        public_key text not null,
        host_key text,
        version int not null default 1,
        refusal text,
        status jsonb,
        created_at timestamptz not null default now()
      )`);
    await runner.query('create index servers_owner_id on servers (owner_id, name)');
    await runner.query('create index servers_name on servers (name, id)');
    // A site stays when its server is deleted.
    await runner.query(`
      create table sites (
        id uuid primary key,
        owner_id uuid not null,
        name text collate french not null,
        url text not null,
        server_id uuid references servers (id) on delete set null
      )`);
    await runner.query('create index sites_owner_id on sites (owner_id, name)');
    await runner.query('create index sites_server_id on sites (server_id)');
    await createIdempotencyKeys(runner);
    await createAudit(runner);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
