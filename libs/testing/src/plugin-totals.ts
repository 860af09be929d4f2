import { Client } from 'pg';
import type { TestDatabase } from './database';

/** SQL that lists the differences between the stored plugin totals and a new count of all rows by owner. */
export const totalDifferences = `
  with held as (
    select h.holder, x.* from sites.site_extensions x join sites.sites s on s.id = x.site_id
    cross join lateral (values (s.owner_id), ('00000000-0000-0000-0000-000000000000'::uuid)) h(holder)
    where x.type = 'plugin' and x.kind = 'regular'
  ), due as (
    select holder as owner_id, slug, count(distinct site_id)::int as sites, count(*) filter (where has_update)::int as updates,
      count(*) filter (where is_main and status = 'inactive')::int as inactive,
      (select n.name::text from held n where (n.holder, n.slug) = (held.holder, held.slug) and n.is_main
        group by 1 order by count(*) desc, n.name::text collate "C" limit 1) as name
    from held group by 1, 2
  ), known as (
    select owner_id, slug, sites_count, updates_count, inactive_count, name::text from sites.plugin_totals
  ), facets_due as (
    select holder, slug, 'version', coalesce(version, ''), count(*)::int from held where is_main group by 1, 2, 4
    union all select holder, slug, 'offer', new_version, count(*)::int from held
      where has_update and new_version is not null group by 1, 2, 4
    union all select holder, slug, 'name', name::text, count(*)::int from held where is_main group by 1, 2, 4
  ), facets as (select * from sites.plugin_facets)
  select 'missing' as is, owner_id, slug from (select * from due except select * from known) m
  union all select 'too much', owner_id, slug from (select * from known except select * from due) m
  union all select 'missing facet', holder, slug from (select * from facets_due except select * from facets) m
  union all select 'facet too much', owner_id, slug from (select * from facets except select * from facets_due) m`;

/** Opens a separate connection, for a test that holds locks. */
export async function connectSites({ url }: TestDatabase): Promise<Client> {
  const client = new Client({ connectionString: url, options: '-c search_path=sites' });
  await client.connect();
  return client;
}

type Locks = { waits: number; rows: number; totals: number };

/** Counts waiting lock requests, those for a row, and held locks of the totals. */
export async function countLocks(client: Pick<Client, 'query'>): Promise<Locks> {
  const { rows } = await client.query<Locks>(`
    select count(*) filter (where not granted)::int as waits,
      count(*) filter (where locktype = 'transactionid' and not granted)::int as rows,
      count(*) filter (where locktype = 'advisory' and granted
        and objid = (hashtext('sites.plugins')::bigint & 4294967295)::oid)::int as totals
    from pg_locks join pg_stat_activity a using (pid) where a.datname = current_database()`);
  return rows[0] ?? { waits: 0, rows: 0, totals: 0 };
}
