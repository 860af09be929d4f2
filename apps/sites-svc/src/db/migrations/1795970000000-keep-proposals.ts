import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepProposals1795970000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table proposals (
        id uuid primary key,
        user_id uuid not null,
        user_name text not null,
        token_name text,
        token_id uuid,
        place text,
        "order" text not null,
        input jsonb not null,
        site_ids uuid[] not null,
        plan jsonb not null,
        notes jsonb not null,
        reason text,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        state text not null default 'open' check (state in ('open', 'confirmed', 'refused', 'rejected')),
        settled_by uuid,
        settled_by_name text,
        settled_at timestamptz,
        job_id uuid,
        refusal text
      )`);
    await runner.query('create index proposals_user_id on proposals (user_id, created_at)');
    await runner.query('create index proposals_created_at on proposals (created_at)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
