import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUploads1795362000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table uploads (
        id uuid primary key,
        owner_id uuid not null,
        type text not null check (type in ('plugin', 'theme')),
        filename text collate french not null,
        slug text not null,
        name text not null,
        version text,
        requires_wp text,
        requires_php text,
        size bigint not null,
        sha256 text not null,
        object_key text not null unique,
        created_at timestamptz not null,
        unique (owner_id, type, filename)
      )`);
    await runner.query('create index uploads_created_at on uploads (created_at desc, id desc)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
