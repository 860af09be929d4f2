import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateConsoles1795356000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table console_tickets (
        hash text primary key,
        user_id uuid not null,
        sid uuid not null,
        server_id uuid not null,
        admin_mode boolean not null,
        expires_at timestamptz not null
      )`);
    // No foreign key to the server: the record outlives it.
    await runner.query(`
      create table consoles (
        id uuid primary key,
        user_id uuid not null,
        user_email text,
        sid uuid not null,
        admin_mode boolean not null,
        server_id uuid not null,
        server_name text not null,
        server_type text not null,
        host text not null,
        port int not null,
        login text not null,
        agent text,
        opened_at timestamptz(3) not null default now(),
        renewed_at timestamptz not null default now(),
        is_attached boolean not null default false,
        is_ending boolean not null default false,
        ended_at timestamptz(3),
        end_reason text,
        bytes_in bigint not null default 0,
        bytes_out bigint not null default 0
      )`);
    await runner.query('create index consoles_live on consoles (user_id) where ended_at is null');
    await runner.query('create index consoles_live_server on consoles (server_id) where ended_at is null');
    await runner.query('create index consoles_ended on consoles (ended_at) where ended_at is not null');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
