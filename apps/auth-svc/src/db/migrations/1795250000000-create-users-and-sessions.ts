import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUsersAndSessions1795250000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table users (
        id uuid primary key,
        email text not null unique check (email = lower(email)),
        password_hash text not null,
        first_name text,
        last_name text,
        role text not null check (role in ('admin', 'client')),
        created_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table sessions (
        id uuid primary key,
        user_id uuid not null references users on delete cascade,
        token_hash text not null unique,
        address text,
        created_at timestamptz not null default now(),
        seen_at timestamptz not null default now(),
        expires_at timestamptz not null
      )`);
    await runner.query('create index sessions_user_id on sessions (user_id)');
    await runner.query('create index sessions_expires_at on sessions (expires_at)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
