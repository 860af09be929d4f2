import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Triggers keep the counts of each group and its subgroups, because the list always shows all groups. */
export class CountGroups1795700100000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock only one of them. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // No foreign key, which would lock groups: only transactions that have locked the counts write here.
    await runner.query(`
      create table if not exists group_counts (
        group_id uuid primary key,
        sites_count int not null default 0,
        servers_count int not null default 0
      )`);
    for (const created of [hold, recount, countTree, ...kinds.map(countMembers)]) await runner.query(created);
    for (const { table } of kinds) {
      for (const event of ['insert', 'update', 'delete', 'truncate']) {
        await follow(runner, { table, event, run: `count_${table}` });
      }
    }
    for (const event of ['update', 'delete']) {
      await follow(runner, { table: 'groups', event, run: 'count_group_tree' });
    }
    await runner.query('select count_groups(array(select id from groups))');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** Counts a member of two groups in one tree once. */
const inTree = (table: string, member: string) => `
  select root, count(*)::int as n
  from (select distinct t.root, m.${member} from tree t join ${table} m on m.group_id = t.id) m group by 1`;

const kinds = [
  { table: 'site_groups', member: 'site_id', counted: 'sites_count' },
  { table: 'server_groups', member: 'server_id', counted: 'servers_count' },
];

/**
 * Locks the counts of the groups' owners until the transaction ends: two transactions that count at the same time would
 * not see each other's changes.
 */
const hold = `
  create or replace function hold_group_counts(changed uuid[]) returns void language plpgsql set search_path from current
  as $function$
  begin
    perform pg_advisory_xact_lock(k) from (
      select distinct hashtext(current_schema() || '.group_counts.' || owner_id) as k from groups
      where id = any(changed) order by k) owners;
  end $function$`;

/** Recounts these groups and those above them. */
const recount = `
  create or replace function count_groups(changed uuid[]) returns void language plpgsql set search_path from current
  as $function$
  begin
    if cardinality(changed) = 0 then
      return;
    end if;
    perform hold_group_counts(changed);
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

type Kind = (typeof kinds)[number];

/** Adds the difference that joining and leaving members make in each tree. */
const addMembers = ({ table, member, counted }: Kind) => `
  with recursive changes as (CHANGES), lines as (
    select group_id, ${member} as member, sum(n) as now, sum(n) - sum(by) as before
    from (
      select group_id, ${member}, 1 as n, 0 as by from ${table} where ${member} in (select ${member} from changes)
      union all select group_id, ${member}, 0, by from changes) l
    group by 1, 2
  ), tree (id, root) as (
    select distinct group_id, group_id from lines
    union select t.id, g.parent_id from tree t join groups g on g.id = t.root where g.parent_id is not null
  )
  insert into group_counts as c (group_id, ${counted})
  select d.root, d.n
  from (
    select t.root, count(distinct l.member) filter (where l.now > 0) - count(distinct l.member) filter (where l.before > 0) as n
    from lines l join tree t on t.id = l.group_id group by 1) d
  join groups g on g.id = d.root
  where d.n <> 0
  on conflict (group_id) do update set ${counted} = c.${counted} + excluded.${counted}`;

const countMembers = (kind: Kind) => `
  create or replace function count_${kind.table}() returns trigger language plpgsql set search_path from current
  as $function$
  declare
    changes text := case tg_op
      when 'INSERT' then 'select 1 as by, x.* from fresh x'
      when 'DELETE' then 'select -1 as by, x.* from gone x'
      else 'select 1 as by, x.* from fresh x union all select -1 as by, x.* from gone x' end;
    changed uuid[];
  begin
    if tg_op = 'TRUNCATE' then
      perform count_groups(array(select id from groups union select group_id from group_counts));
      return null;
    end if;
    execute replace('select array(select group_id from (CHANGES) c)', 'CHANGES', changes) into changed;
    if cardinality(changed) > 0 then
      perform hold_group_counts(changed);
      execute replace($sql$${addMembers(kind)}$sql$, 'CHANGES', changes);
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
