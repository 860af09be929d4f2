import { type Diagnosis, maxOverviewSites, type PluginItem, type PluginSort } from '@vigie/contracts/plugins';
import type { EntityManager } from 'typeorm';
import { isAnyPlugin, isBlocked, isPlugin } from '../items/installed-items';
import { sharedRole } from '../owners/reach';
import { failureSql, isFailed } from '../sites/failures';
import { isVersion, newestFirst } from '../sites/versions';
import { readScope, type SiteScope } from './site-scope';

const maxVersions = 10;

export type PluginQuery = { q: string; only_updates: '0' | '1'; sort: PluginSort; limit: number; offset: number };

type PluginLine = Omit<PluginItem, 'blocked_count' | 'sites'>;
type Page = { lines: PluginLine[]; total: number; updates_total: number };

const orders: Readonly<Record<PluginSort, string>> = {
  updates_desc: 'updates_count desc, sites_count desc, name, plugin',
  sites_desc: 'sites_count desc, updates_count desc, name, plugin',
  name_asc: 'name, plugin',
};

/** SQL for the counts of a part of the sites, which are read once for all that follows. The stored totals only cover all sites. */
const countedSql = ({ isExtensionIn }: SiteScope) => `
  select x.slug, x.version, x.new_version, count(*) filter (where x.is_main)::int as sites_count,
    count(*) filter (where x.has_update)::int as updates_count,
    count(*) filter (where x.is_main and x.status = 'inactive')::int as inactive_count
  from site_extensions x where ${isAnyPlugin('x')} and ${isExtensionIn('x')} group by 1, 2, 3`;

const totalsSql = ({ isPartial }: SiteScope) =>
  isPartial
    ? `select c.slug as plugin, t.name, c.sites_count, c.updates_count, c.inactive_count
       from (
         select slug, sum(sites_count)::int as sites_count, sum(updates_count)::int as updates_count,
           sum(inactive_count)::int as inactive_count from counted group by 1
       ) c join plugin_totals t on t.owner_id = $1 and t.slug = c.slug`
    : `select slug as plugin, name, sites_count, updates_count, inactive_count from plugin_totals where owner_id = $1`;

const isOnPage = 'slug in (select plugin from page)';

/** SQL for the versions that sites have. */
const versionsSql = ({ isPartial }: SiteScope) =>
  isPartial
    ? `select slug, coalesce(version, '') as value, sum(sites_count)::int as n
       from counted where ${isOnPage} and sites_count > 0 group by 1, 2`
    : `select slug, value, sites_count as n from plugin_facets where owner_id = $1 and ${isOnPage} and facet = 'version'`;

/** SQL for the versions that sites have or are offered: of all sites of the owner, or of those that the caller reaches. */
const offersSql = ({ isPartial }: SiteScope) =>
  isPartial && sharedRole()
    ? `select distinct c.slug, v.value from counted c cross join lateral (values (c.version), (c.new_version)) v(value)
       where c.${isOnPage} and c.sites_count > 0`
    : `select slug, value from plugin_facets where owner_id = $1 and ${isOnPage} and facet in ('version', 'offer')`;

/** SQL condition: the name or slug contains the text of parameter `q`. */
export const isNamed = (row: string, slug: string, q: string) =>
  `strpos(lower(${row}.name || ' ' || ${row}.${slug}), lower(${q})) > 0`;

/** Reads a page of plugins, with the installed versions of each one, and the newest one installed or offered. */
export async function findPage(manager: EntityManager, scope: SiteScope, query: PluginQuery): Promise<Page> {
  const { isPartial, parameter } = scope;
  const rows = await readScope<Page & { [F in keyof PluginLine]: PluginLine[F] | null }>(
    manager,
    scope,
    `with ${isPartial ? `counted as materialized (${countedSql(scope)}),` : ''} matched as materialized (
       select * from (${totalsSql(scope)}) m
       where ${isNamed('m', 'plugin', parameter(1))} and (${parameter(2)} = '0' or m.updates_count > 0)
     ), sums as (select count(*)::int as total, coalesce(sum(updates_count), 0)::int as updates_total from matched),
     page as materialized (
       select *, row_number() over (order by ${orders[query.sort]}) as place from matched
       order by place limit ${parameter(3)} offset ${parameter(4)}
     ), ranked as (
       select k.*, row_number() over (partition by k.slug order by k.n desc, k.value collate french desc) as place
       from (${versionsSql(scope)}) k
     ), offers as materialized (${offersSql(scope)}),
     spreads as (
       select r.slug, count(*)::int as versions_count,
         json_agg(json_build_object('version', nullif(r.value, ''), 'sites_count', r.n) order by r.place)
           filter (where r.place <= ${maxVersions}) as versions,
         (select f.value from offers f where f.slug = r.slug and ${isVersion('f.value')} order by ${newestFirst('f.value')} limit 1) as latest_version
       from ranked r group by r.slug
     )
     select sums.*, p.plugin, p.name, p.sites_count, p.updates_count, p.inactive_count, coalesce(v.versions, '[]') as versions,
       coalesce(v.versions_count, 0) as versions_count, v.latest_version
     from sums left join page p on true left join spreads v on v.slug = p.plugin order by p.place`,
    [query.q.trim().normalize('NFC'), query.only_updates, query.limit, query.offset],
  );
  const [firstRow] = rows;
  const lines = rows.flatMap((row) => {
    const { total: _t, updates_total: _u, ...line } = row;
    return line.plugin === null ? [] : [line as PluginLine];
  });
  return { lines, total: firstRow?.total ?? 0, updates_total: firstRow?.updates_total ?? 0 };
}

type PluginSite = PluginItem['sites'][number];

/** Reads a few sites of each plugin, those that wait for an update first. */
export async function findSites(manager: EntityManager, scope: SiteScope, slugs: readonly string[]) {
  const sites = new Map(slugs.map((slug) => [slug, new Array<PluginSite>()]));
  const { isExtensionIn, parameter } = scope;
  const rows = await readScope<PluginSite & { plugin: string }>(
    manager,
    scope,
    `select i.slug as plugin, i.site_id, s.name as site_name, i.version, i.has_update as "hasUpdate",
       i.has_update and ${isBlocked("'plugin'")} as "blockedByLicense", i.new_version, i.status
     from unnest(${parameter(1)}::text[]) k(slug) cross join lateral (
       select x.slug, x.site_id, x.version, x.has_update, x.new_version, x.status
       from site_extensions x where ${isPlugin('x')} and ${isExtensionIn('x')} and x.slug = k.slug
       order by (not x.has_update), x.site_id limit ${maxOverviewSites}) i join sites s on s.id = i.site_id
     order by i.slug, (not i.has_update), i.site_id`,
    [slugs],
  );
  for (const { plugin, ...site } of rows) sites.get(plugin)?.push(site);
  return sites;
}

/** Counts, for each plugin, the sites whose update was refused for want of a licence. */
export async function countBlocked(manager: EntityManager, scope: SiteScope, slugs: readonly string[]) {
  const { isExtensionIn, parameter } = scope;
  const rows = await readScope<{ plugin: string; n: number }>(
    manager,
    scope,
    `select i.slug as plugin, count(*)::int as n
     from site_licences k join site_extensions i on (i.site_id, i.type, i.slug) = (k.site_id, k.kind, k.slug)
     where k.kind = 'plugin' and k.slug = any(${parameter(1)}::text[]) and ${isPlugin('i')} and ${isExtensionIn('i')} and i.has_update
       and ${isBlocked("'plugin'")}
     group by 1`,
    [slugs],
  );
  return new Map(rows.map(({ plugin, n }) => [plugin, n]));
}

type SiteCounts = Diagnosis & { updated_at: Date | null };

export async function diagnose(manager: EntityManager, scope: SiteScope): Promise<SiteCounts> {
  const { isSiteIn } = scope;
  const [row] = await readScope<SiteCounts>(
    manager,
    scope,
    `select c.*, (select count(*)::int from sites s where ${isSiteIn('s')} and ${isFailed('s')}) as sites_failed,
       coalesce((
         select json_agg(json_build_object('site_id', f.id, 'site_name', f.name, 'error', f.error)) from (
           select s.id, s.name, ${failureSql('s')} as error
           from sites s where ${isSiteIn('s')} and ${isFailed('s')} order by s.name, s.id limit ${maxOverviewSites}) f
       ), '[]') as failures
     from (
       select count(*)::int as sites_total, count(s.read_at)::int as sites_scanned, max(s.read_at) as updated_at
       from sites s where ${isSiteIn('s')}) c`,
  );
  if (!row) throw new Error('a count is one row');
  return row;
}
