import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeepIntents1795410000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Writes that were about to be sent to the provider, until their outcome is recorded.
    await runner.query(`
      create table intents (
        id uuid primary key,
        config_id uuid not null references configs on delete cascade,
        zone_id text,
        zone_name text not null,
        reason text,
        before_id uuid,
        planned jsonb not null default '[]',
        actor jsonb not null,
        claim jsonb,
        known jsonb not null default '[]',
        at timestamptz not null default now(),
        tries int not null default 0,
        try_at timestamptz not null default now()
      )`);
    await runner.query('create index intents_zone on intents (zone_id, zone_name)');
    await runner.query('create index intents_try_at on intents (try_at)');
    // When the zone’s records were last read, changed or not.
    await runner.query('alter table zones add column looked_at timestamptz');
    // É sorts with E, and client2 before client10.
    await runner.query("create collation french (provider = icu, locale = 'fr-u-kn-true')");
    await runner.query('alter table zones alter column display_name type text collate french');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
