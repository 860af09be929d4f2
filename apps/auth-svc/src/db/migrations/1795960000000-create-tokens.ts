import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTokens1795960000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table tokens (
        id uuid primary key,
        user_id uuid not null references users on delete cascade,
        name text not null,
        token_hash text not null unique,
        scopes text[] not null,
        group_ids uuid[],
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        last_used_at timestamptz,
        last_used_address text,
        warned_at timestamptz
      )`);
    await runner.query('create index tokens_user_id on tokens (user_id)');
    await runner.query('create index tokens_expires_at on tokens (expires_at)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
