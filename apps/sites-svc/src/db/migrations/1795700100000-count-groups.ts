import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many sites and servers are in each group and below it, known at any time: their list is whole each time. */
export class CountGroups1795700100000 implements MigrationInterface {
  /** Services that run take these tables in any order: each statement holds one of them, alone. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // No reference: what is counted is written by whoever holds the counts, and by nobody who holds a group alone.
    await runner.query(`
      create table if not exists group_counts (
        group_id uuid primary key,
        sites_count int not null,
        servers_count int not null
      )`);
    await runner.query(recount);
    await runner.query(countMembers);
    await runner.query(countTree);
    for (const table of ['site_groups', 'server_groups']) await followMembers(runner, table);
    for (const event of ['update', 'delete']) {
      await follow(runner, { table: 'groups', event, run: 'count_group_tree' });
    }
    await runner.query('select count_groups(array(select id from groups))');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** What is in two groups of a tree is there once. */
const inTree = (table: string, member: string) => `
  select root, count(*)::int as n
  from (select distinct t.root, m.${member} from tree t join ${table} m on m.group_id = t.id) m group by 1`;

/**
 * Counts these groups and those above them anew. Whoever changes who is in which group holds all counts until the end of
 * its transaction: two that counted at once would not see each other's.
 */
const recount = `
  create or replace function count_groups(changed uuid[]) returns void language plpgsql set search_path from current
  as $function$
  begin
    if cardinality(changed) = 0 then
      return;
    end if;
    perform pg_advisory_xact_lock(hashtext(current_schema() || '.group_counts'));
    delete from group_counts c where c.group_id = any(changed) and not exists (select from groups g where g.id = c.group_id);
    with recursive above (id) as (
      select g.id from groups g where g.id = any(changed)
      union select p.id from above a join groups g on g.id = a.id join groups p on p.id = g.parent_id
    ), tree (root, id) as (
      select id, id from above union all select t.root, g.id from tree t join groups g on g.parent_id = t.id
    )
    insert into group_counts as c (group_id, sites_count, servers_count)
    select a.id, coalesce(s.n, 0), coalesce(v.n, 0) from above a
    left join (${inTree('site_groups', 'site_id')}) s on s.root = a.id
    left join (${inTree('server_groups', 'server_id')}) v on v.root = a.id
    on conflict (group_id) do update set sites_count = excluded.sites_count, servers_count = excluded.servers_count
    where (c.sites_count, c.servers_count) <> (excluded.sites_count, excluded.servers_count);
  end $function$`;

const countMembers = `
  create or replace function count_group_members() returns trigger language plpgsql set search_path from current
  as $function$
  begin
    if tg_op = 'INSERT' then
      perform count_groups(array(select distinct group_id from fresh));
    elsif tg_op = 'DELETE' then
      perform count_groups(array(select distinct group_id from gone));
    elsif tg_op = 'UPDATE' then
      perform count_groups(array(select group_id from fresh union select group_id from gone));
    else
      perform count_groups(array(select id from groups union select group_id from group_counts));
    end if;
    return null;
  end $function$`;

const countTree = `
  create or replace function count_group_tree() returns trigger language plpgsql set search_path from current
  as $function$
  begin
    if tg_op = 'DELETE' then
      perform count_groups(array(select id from gone union select parent_id from gone where parent_id is not null));
    else
      perform count_groups(array(
        select distinct p.id from fresh f join gone g on g.id = f.id and g.parent_id is distinct from f.parent_id
        cross join lateral (values (f.parent_id), (g.parent_id)) p(id) where p.id is not null));
    end if;
    return null;
  end $function$`;

type Trigger = { table: string; event: string; run: string };

async function follow(runner: QueryRunner, { table, event, run }: Trigger): Promise<void> {
  const seen = {
    insert: 'new table as fresh',
    delete: 'old table as gone',
    update: 'new table as fresh old table as gone',
  };
  const tables = Object.entries(seen).find(([name]) => name === event)?.[1];
  await runner.query(
    `create or replace trigger ${run}_${event} after ${event} on ${table}
     ${tables === undefined ? '' : `referencing ${tables}`} for each statement execute function ${run}()`,
  );
}

async function followMembers(runner: QueryRunner, table: string): Promise<void> {
  for (const event of ['insert', 'update', 'delete', 'truncate']) {
    await follow(runner, { table, event, run: 'count_group_members' });
  }
}
