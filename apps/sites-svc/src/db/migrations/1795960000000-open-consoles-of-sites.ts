import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OpenConsolesOfSites1795960000000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock only one of them. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The previous release finds no server for a console without one, and ends it.
    await runner.query(`
      alter table console_tickets alter column server_id drop not null, add column if not exists site_id uuid`);
    await runner.query(`
      alter table consoles alter column server_id drop not null, alter column server_type drop not null,
        add column if not exists site_id uuid, add column if not exists is_shared boolean not null default false`);
    await runner.query('create index if not exists consoles_live_site on consoles (site_id) where ended_at is null');
    for (const table of ['servers', 'sites']) {
      await runner.query(`create index if not exists ${table}_host on ${table} (lower(host))`);
      await runner.query(`create index if not exists ${table}_host_key on ${table} (host_key)`);
    }
    await runner.query(connectionsTo);
    await runner.query(canOpenConsole);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** The servers and sites that connect to a host of this name in lower case, or whose pinned key is this one. */
const connectionsTo = `
  create or replace function connections_to(label text) returns table (owner_id uuid, site_id uuid, host text, host_key text)
  language plpgsql stable rows 10 as $$
    begin
      return query
        select v.owner_id, null::uuid, lower(v.host), v.host_key from servers v
        where lower(v.host) = label or v.host_key = label
        union all
        select s.owner_id, s.id, lower(coalesce(s.host, v.host)), s.host_key
        from sites s left join servers v on v.id = s.server_id
        where lower(s.host) = label or s.host_key = label or s.host is null and s.server_id = any(array(
          select w.id from servers w where lower(w.host) = label or w.host_key = label));
    end
  $$`;

/**
 * Whether a user may open a console of a site: its owner, and an operator to whom the machine behind the connection shows
 * nothing of anybody else. Names and keys lead to one another, since a machine has many. The port and the user of a
 * connection count for nothing, since a login may become another one. No caller means everybody, in the admin mode.
 */
const canOpenConsole = `
  create or replace function can_open_console(site uuid, caller uuid) returns boolean language plpgsql stable as $$
    begin
      return exists (
        select from sites s left join servers v on v.id = s.server_id
        where s.id = site and coalesce(s.host, v.host) is not null and (caller is null or s.owner_id = caller
          or s.id in (select granted_sites(caller, 'operator')) and not exists (
            with recursive machine (label) as (
              select unnest(array[lower(coalesce(s.host, v.host)), s.host_key])
              union
              select unnest(array[c.host, c.host_key]) from machine m cross join lateral connections_to(m.label) c
            )
            select from machine m cross join lateral connections_to(m.label) c
            where c.owner_id <> caller and case when c.site_id is null then c.owner_id <> s.owner_id
              else c.site_id not in (select granted_sites(caller, 'operator')) end)));
    end
  $$`;
