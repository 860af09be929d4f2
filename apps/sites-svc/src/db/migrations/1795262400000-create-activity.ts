import { createOutboxCursors } from '@vigie/service-kit/outbox';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateActivity1795262400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table activity (
        id uuid primary key,
        type text not null,
        owner_id uuid,
        actor_id uuid,
        actor_name text,
        site_id uuid,
        site_name text,
        server_id uuid,
        server_name text,
        details jsonb not null,
        created_at timestamptz not null
      )`);
    await runner.query('create index activity_created_at on activity (created_at desc, id desc)');
    await runner.query('create index activity_owner_id on activity (owner_id, created_at desc, id desc)');
    await createOutboxCursors(runner);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
