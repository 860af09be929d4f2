import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The owner id under which the totals of all owners are stored. */
const everybody = "'00000000-0000-0000-0000-000000000000'::uuid";
const isPlugin = "type = 'plugin' and kind = 'regular'";

/** Triggers keep the totals of each plugin, because counting the rows of a large fleet takes seconds. */
export class CountPlugins1795400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Locks in the order in which site reports do. Sites can still be read meanwhile.
    await runner.query('lock table sites in exclusive mode');
    await runner.query('lock table site_extensions in access exclusive mode');
    await widenExtensions(runner);
    await createTotals(runner);
    await runner.query(countChanges);
    await runner.query(forgetAll);
    await runner.query(knowOwner);
    await runner.query(followOwner);
    await addTriggers(runner);
    await runner.query(countAll);
    await runner.query(nameAll);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

async function widenExtensions(runner: QueryRunner): Promise<void> {
  // `is_main` marks the plugin that stands for a folder with several.
  await runner.query(
    'alter table site_extensions add column owner_id uuid, add column is_main boolean not null default true',
  );
  await runner.query('update site_extensions x set owner_id = s.owner_id from sites s where s.id = x.site_id');
  await runner.query(`
    update site_extensions x set is_main = false where exists (
      select from site_extensions o
      where (o.site_id, o.type, o.slug, o.kind) = (x.site_id, x.type, x.slug, x.kind)
        and (not o.has_update, o.status, o.file) < (not x.has_update, x.status, x.file))`);
  await runner.query('alter table site_extensions alter column owner_id set not null');
  await runner.query('drop index site_extensions_slug');
  await runner.query('drop index site_extensions_updates');
  // Plugins with an update come first, for one owner or for all.
  for (const [name, owner] of [
    ['site_extensions_owned_plugins', 'owner_id, '],
    ['site_extensions_plugins', ''],
  ]) {
    await runner.query(
      `create index ${name} on site_extensions (${owner}slug, (not has_update), site_id) where ${isPlugin} and is_main`,
    );
  }
  // Covers the counts for a part of the sites, so that no other row is read.
  await runner.query(
    `create index site_extensions_of_sites on site_extensions (site_id, slug)
     include (version, has_update, new_version, status, is_main) where ${isPlugin}`,
  );
  await runner.query('create index sites_read_at on sites (owner_id, read_at)');
  await runner.query(
    'create index sites_failed on sites (owner_id, name, id) where ssh_error is not null or problem is not null',
  );
}

async function createTotals(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table plugin_totals (
      owner_id uuid not null,
      slug text not null,
      name text collate french not null,
      sites_count int not null,
      updates_count int not null,
      inactive_count int not null,
      primary key (owner_id, slug)
    )`);
  await runner.query(`
    create table plugin_facets (
      owner_id uuid not null,
      slug text not null,
      facet text not null check (facet in ('name', 'version', 'offer')),
      value text not null,
      sites_count int not null,
      primary key (owner_id, slug, facet, value)
    )`);
  await runner.query(
    'create index plugin_totals_gone on plugin_totals (owner_id) where sites_count = 0 and updates_count = 0',
  );
  await runner.query('create index plugin_facets_gone on plugin_facets (owner_id) where sites_count = 0');
  await runner.query(`
    create table plugin_refreshes (
      user_id uuid not null,
      reach text not null,
      asked_at timestamptz not null,
      primary key (user_id, reach)
    )`);
}

/** Adds extensions to the totals, or subtracts them when `by` is -1. */
const addUp = (lines: string) => `
  with lines as (
    select owner_id, slug, name, coalesce(version, '') as version, case when has_update then new_version end as offer,
      sum(by * is_main::int) as sites, sum(by * has_update::int) as updates,
      sum(by * (is_main and status = 'inactive')::int) as inactive
    from (${lines}) c where ${isPlugin} group by 1, 2, 3, 4, 5
  ), held as materialized (
    select h.holder, l.* from lines l cross join lateral (values (l.owner_id), (${everybody})) h(holder)
  ), facets as (
    insert into plugin_facets as f (owner_id, slug, facet, value, sites_count)
    select holder, slug, facet, value, sum(n)
    from held cross join lateral (values ('name', name::text, sites), ('version', version, sites), ('offer', offer, updates))
      v(facet, value, n)
    where value is not null group by 1, 2, 3, 4 having sum(n) <> 0
    on conflict (owner_id, slug, facet, value) do update set sites_count = f.sites_count + excluded.sites_count
  )
  insert into plugin_totals as t (owner_id, slug, name, sites_count, updates_count, inactive_count)
  select holder, slug, min(name), sum(sites), sum(updates), sum(inactive) from held group by 1, 2
  having sum(sites) <> 0 or sum(updates) <> 0 or sum(inactive) <> 0
  on conflict (owner_id, slug) do update set sites_count = t.sites_count + excluded.sites_count,
    updates_count = t.updates_count + excluded.updates_count, inactive_count = t.inactive_count + excluded.inactive_count`;

/** Gives a plugin the name that most sites use. */
const nameThem = (which: string) => `
  update plugin_totals t set name = k.name
  from (
    select w.holder, w.slug, (select f.value from plugin_facets f
      where (f.owner_id, f.slug, f.facet) = (w.holder, w.slug, 'name') order by f.sites_count desc, f.value limit 1) as name
    from (${which}) w) k
  where (t.owner_id, t.slug) = (k.holder, k.slug) and t.name <> k.name`;

const countAll = addUp('select 1 as by, x.* from site_extensions x');
const nameAll = nameThem('select owner_id as holder, slug from plugin_totals');

/**
 * Locks all totals until the transaction ends: locking single rows in different orders would deadlock. Changes are rare,
 * because unchanged extensions are not written.
 */
const countChanges = `
  create function count_plugins() returns trigger language plpgsql set search_path from current as $function$
  declare
    changes text := case tg_op
      when 'INSERT' then 'select 1 as by, x.* from fresh x'
      when 'DELETE' then 'select -1 as by, x.* from gone x'
      else 'select 1 as by, x.* from fresh x union all select -1 as by, x.* from gone x' end;
    is_any boolean;
  begin
    execute replace('select exists (select from (CHANGES) c where ${isPlugin.replaceAll("'", "''")})', 'CHANGES', changes)
      into is_any;
    if not is_any then
      return null;
    end if;
    perform pg_advisory_xact_lock(hashtext(current_schema() || '.plugins'));
    execute replace($sql$${addUp('CHANGES')}$sql$, 'CHANGES', changes);
    delete from plugin_facets where sites_count = 0;
    delete from plugin_totals where sites_count = 0 and updates_count = 0;
    execute replace($sql$${nameThem(
      `select distinct h.holder, c.slug from (CHANGES) c
       cross join lateral (values (c.owner_id), (${everybody})) h(holder) where ${isPlugin}`,
    )}$sql$, 'CHANGES', changes);
    return null;
  end $function$`;

const forgetAll = `
  create function forget_plugins() returns trigger language plpgsql set search_path from current as $function$
  begin
    delete from plugin_facets;
    delete from plugin_totals;
    return null;
  end $function$`;

/** Earlier releases insert no owner: it is the site's, locked so that it cannot change meanwhile. */
const knowOwner = `
  create function know_extension_owner() returns trigger language plpgsql set search_path from current as $function$
  begin
    select owner_id into new.owner_id from sites where id = new.site_id for share;
    return new;
  end $function$`;

const followOwner = `
  create function pass_extensions_on() returns trigger language plpgsql set search_path from current as $function$
  begin
    update site_extensions x set owner_id = f.owner_id
    from fresh f join gone g on g.id = f.id and g.owner_id <> f.owner_id
    where x.site_id = f.id;
    return null;
  end $function$`;

async function addTriggers(runner: QueryRunner): Promise<void> {
  const [fresh, gone] = ['new table as fresh', 'old table as gone'];
  for (const [event, tables] of [
    ['insert', fresh],
    ['delete', gone],
    ['update', `${fresh} ${gone}`],
  ]) {
    await runner.query(
      `create trigger count_plugins_${event} after ${event} on site_extensions referencing ${tables}
       for each statement execute function count_plugins()`,
    );
  }
  await runner.query(
    `create trigger forget_plugins after truncate on site_extensions
     for each statement execute function forget_plugins()`,
  );
  await runner.query(
    `create trigger know_extension_owner before insert on site_extensions
     for each row when (new.owner_id is null) execute function know_extension_owner()`,
  );
  await runner.query(
    `create trigger pass_extensions_on after update on sites referencing ${fresh} ${gone}
     for each statement execute function pass_extensions_on()`,
  );
}
