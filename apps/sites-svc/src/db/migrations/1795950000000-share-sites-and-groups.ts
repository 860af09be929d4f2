import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ShareSitesAndGroups1795950000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Each role includes those before it.
    await runner.query("create type grant_role as enum ('viewer', 'operator', 'manager')");
    await runner.query(`
      create table teams (
        id uuid primary key,
        name text collate french not null,
        created_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table team_members (
        team_id uuid not null references teams (id) on delete cascade,
        user_id uuid not null,
        primary key (team_id, user_id)
      )`);
    await runner.query('create unique index teams_name on teams (lower(name))');
    await runner.query('create index team_members_user_id on team_members (user_id)');
    await createGrants(runner);
    await runner.query(grantsTo);
    await runner.query(grantedGroups);
    await runner.query(grantedSites);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

async function createGrants(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table grants (
      id uuid primary key,
      site_id uuid references sites (id) on delete cascade,
      group_id uuid references groups (id) on delete cascade,
      user_id uuid,
      team_id uuid references teams (id) on delete cascade,
      role grant_role not null,
      shared_by text not null,
      created_at timestamptz not null default now(),
      check (num_nonnulls(site_id, group_id) = 1),
      check (num_nonnulls(user_id, team_id) = 1)
    )`);
  await runner.query(
    'create unique index grants_once on grants (coalesce(site_id, group_id), coalesce(user_id, team_id))',
  );
  for (const column of ['site_id', 'group_id', 'user_id', 'team_id']) {
    await runner.query(`create index grants_${column} on grants (${column}) where ${column} is not null`);
  }
}

/** The grants of a user, those of their teams included. */
const grantsTo = `
  create function grants_to(caller uuid) returns setof grants language sql stable rows 10 as $$
    select * from grants where user_id = caller
    union all
    select g.* from team_members m join grants g on g.team_id = m.team_id where m.user_id = caller
  $$`;

/**
 * The groups that are shared with a user by this role or a stronger one, with those below them. PL/pgSQL keeps the planner
 * from guessing how many these are: it would ask for them again for each row.
 */
const grantedGroups = `
  create function granted_groups(caller uuid, minimum grant_role) returns setof uuid language plpgsql stable rows 100 as $$
    begin
      return query
        with recursive below (id) as (
          select group_id from grants_to(caller) where group_id is not null and role >= minimum
          union
          select g.id from groups g join below b on g.parent_id = b.id
        )
        select id from below;
    end
  $$`;

const grantedSites = `
  create function granted_sites(caller uuid, minimum grant_role) returns setof uuid language plpgsql stable rows 1000 as $$
    begin
      return query
        select site_id from grants_to(caller) where site_id is not null and role >= minimum
        union all
        select m.site_id from granted_groups(caller, minimum) g join site_groups m on m.group_id = g;
    end
  $$`;
