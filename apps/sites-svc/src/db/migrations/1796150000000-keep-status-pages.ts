import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Public pages of groups. A page ends with its group, and with the right of the owner who published it. */
export class KeepStatusPages1796150000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table status_pages (
        id uuid primary key,
        group_id uuid not null unique references groups (id) on delete cascade,
        secret_hash text not null unique,
        title text not null,
        shows_incidents boolean not null,
        created_at timestamptz not null default now(),
        created_by text not null
      )`);
    await runner.query(`
      create function end_status_page() returns trigger language plpgsql set search_path from current as $$
      begin
        delete from status_pages where group_id = new.id;
        return null;
      end $$`);
    await runner.query(`
      create trigger end_status_page after update of owner_id on groups for each row
      when (old.owner_id is distinct from new.owner_id) execute function end_status_page()`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
