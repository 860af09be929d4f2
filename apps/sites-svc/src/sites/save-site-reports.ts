import type { UpdateCheck, Extension, SiteState } from '@vigie/contracts/inventory';
import type { JobError } from '@vigie/contracts/jobs';
import { type EntityManager, IsNull } from 'typeorm';
import { toJsonb } from '../to-jsonb';
import { isCredentialRefusal } from '../servers/refusals';
import { hurryInspections } from '../sweeps/schedule';
import { shownKeyOf } from '../servers/shown-keys';
import { mergeSiteState } from './merge-site-state';
import { type StoredSiteState, Site } from './site.entity';

/** A scan or an inspection: the site's state or a failure, for one version of its connection. */
export type SiteReport = {
  id: string;
  version: number;
  /** Of the row that gave the access, before the report; a report without it is up to date. */
  logins?: number | undefined;
  facts: SiteState | null;
  failure: JobError | null;
  host_key?: string | null | undefined;
  path?: string | null | undefined;
};

type StoredSite = { id: string; version: number; facts: StoredSiteState | null; inspected_at: Date | null };

/** Ignores reports about an older version of a site's connection, and states older than the stored one. */
export async function saveSiteReports(manager: EntityManager, reports: readonly SiteReport[]): Promise<void> {
  const stored = await lockStoredSites(manager, reports);
  const accepted = reports.filter(({ id, version }) => stored.get(id)?.version === version);
  if (accepted.length === 0) return;
  await pinHostKeys(manager, accepted);
  await savePaths(manager, accepted);
  const readings = accepted.flatMap(({ id, facts: state }) => (state ? [{ id, state, stored: stored.get(id) }] : []));
  if (readings.length > 0) await saveSiteStates(manager, readings);
  const failed = accepted.flatMap(({ id, version, logins, failure }) =>
    failure
      ? [
          {
            id,
            version,
            logins,
            error: failure.message,
            is_refusal: isCredentialRefusal(failure.code),
            shown_key: shownKeyOf(failure),
          },
        ]
      : [],
  );
  if (failed.length > 0) await saveFailures(manager, failed);
}

/**
 * Locks servers before sites, as edits do, until the transaction ends: no report about an old connection can be stored
 * for a new one.
 */
async function lockStoredSites(
  manager: EntityManager,
  reports: readonly SiteReport[],
): Promise<Map<string, StoredSite>> {
  const ids = reports.map(({ id }) => id);
  await manager.query(
    `select id from servers where id in (select server_id from sites where id = any($1::uuid[])) order by id
     for no key update`,
    [ids],
  );
  const rows: StoredSite[] = await manager.query(
    'select id, version, facts, inspected_at from sites where id = any($1::uuid[]) order by id for update',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function savePaths(manager: EntityManager, reports: readonly SiteReport[]): Promise<void> {
  for (const { id, path } of reports) if (path) await manager.update(Site, { id, path: IsNull() }, { path });
}

type SiteReading = { id: string; state: SiteState; stored: StoredSite | undefined };

async function saveSiteStates(manager: EntityManager, readings: readonly SiteReading[]): Promise<void> {
  const rows = readings.flatMap(({ id, state: reported, stored }) => {
    if (isOutdated(reported, stored)) return [];
    const merged = mergeSiteState(reported, stored?.facts ?? null);
    const [state, extensions] = [merged.state, merged.extensions && distinctExtensions(merged.extensions)];
    return [
      { ...columnsOf(state, extensions), id, is_inspected: reported.depth === 'inspect', facts: state, extensions },
    ];
  });
  if (rows.length === 0) return;
  await writeSiteStates(manager, rows);
  const uncertain = rows.filter(
    ({ is_inspected: isInspected, facts: state }) => !isInspected && state.needs_boot.length > 0,
  );
  await hurryInspections(
    manager,
    uncertain.map(({ id }) => id),
  );
}

/** Keeps one extension for each primary key of `site_extensions`: a host may list the same one twice. */
const distinctExtensions = (extensions: readonly Extension[]): readonly Extension[] => [
  ...new Map(extensions.map((one) => [toJsonb([one.type, one.slug, one.kind, one.file ?? '']), one])).values(),
];

/**
 * Inspections are ordered by their start, however long WordPress took, because one follows each change. A scan that
 * started while an inspection ran is outdated; it does not outdate that inspection when both saw the same mark.
 */
function isOutdated(
  { depth, mark, read_at: began, ended_at: ended }: SiteState,
  stored: StoredSite | undefined,
): boolean {
  if (!stored?.facts) return false;
  const { facts: state } = stored;
  const readAt = Date.parse(state.read_at);
  if (depth === 'scan') return Date.parse(began) < Math.max(readAt, Date.parse(state.ended_at ?? state.read_at));
  if (Date.parse(began) < (stored.inspected_at?.getTime() ?? 0)) return true;
  const isSame = mark !== null && mark === state.mark;
  return !isSame && Date.parse(ended ?? began) < readAt;
}

/** Null means unknown: without a successful update check, zero offers prove nothing. */
const countIfChecked = (count: number, { checked_at: at }: UpdateCheck) => (count > 0 || at !== null ? count : null);

function columnsOf(state: StoredSiteState, extensions: readonly Extension[] | null) {
  const regularOf = (kind: Extension['type']) =>
    extensions?.filter((each) => each.type === kind && each.kind === 'regular');
  const updatesOf = (kind: Extension['type'], check: UpdateCheck) => {
    const all = regularOf(kind);
    return all ? countIfChecked(all.filter(({ hasUpdate }) => hasUpdate).length, check) : null;
  };
  const { checks } = state;
  return {
    wp_version: state.core.version,
    new_wp_version: state.core.new_version,
    updates_core: countIfChecked(Number(state.core.hasUpdate), checks.core),
    plugins_count: regularOf('plugin')?.length ?? null,
    themes_count: regularOf('theme')?.length ?? null,
    updates_plugins: updatesOf('plugin', checks.plugins),
    updates_themes: updatesOf('theme', checks.themes),
    php_binary: state.php?.binary ?? null,
    php_version: state.php?.version ?? null,
    problem: state.problem,
    mark: state.mark,
    read_at: state.read_at,
  };
}

/** Writes only the rows of `site_extensions` that changed. */
async function writeSiteStates(manager: EntityManager, rows: readonly object[]): Promise<void> {
  await manager.query(
    `with seen as (
       select * from jsonb_to_recordset($1::jsonb) as r(id uuid, wp_version text, new_wp_version text, updates_core int,
         plugins_count int, themes_count int, updates_plugins int, updates_themes int, php_binary text, php_version text,
         problem jsonb, mark text, read_at timestamptz, is_inspected boolean, facts jsonb, extensions jsonb)
     ), site as (
       update sites s set ssh_error = null, refusal = null, shown_key = null, logins = s.logins + 1, wp_version = r.wp_version, new_wp_version = r.new_wp_version,
         updates_core = r.updates_core, plugins_count = coalesce(r.plugins_count, s.plugins_count),
         themes_count = coalesce(r.themes_count, s.themes_count),
         updates_plugins = coalesce(r.updates_plugins, s.updates_plugins),
         updates_themes = coalesce(r.updates_themes, s.updates_themes),
         php_binary = coalesce(r.php_binary, s.php_binary), php_version = coalesce(r.php_version, s.php_version),
         problem = nullif(r.problem, 'null'), mark = r.mark, read_at = r.read_at, facts = r.facts,
         inspected_at = case when r.is_inspected then r.read_at else s.inspected_at end,
         inspected_mark = case when r.is_inspected then r.mark else s.inspected_mark end
       from seen r where s.id = r.id
     ), found as (
       select s.id as site_id, s.owner_id, e.type, e.slug, e.kind, coalesce(e.file, '') as file, e.name, e.version, e.status,
         e.is_network_active, e.parent, e."hasUpdate" as has_update, e.new_version,
         row_number() over (partition by s.id, e.type, e.slug, e.kind
           order by e."hasUpdate" desc, e.status, coalesce(e.file, '')) = 1 as is_main
       from seen r join sites s on s.id = r.id cross join jsonb_to_recordset(r.extensions) as e(type text, slug text, kind text,
         file text, name text, version text, status text, is_network_active boolean, parent text, "hasUpdate" boolean,
         new_version text)
       where jsonb_typeof(r.extensions) = 'array'
     ), gone as (
       delete from site_extensions x using seen r
       where x.site_id = r.id and jsonb_typeof(r.extensions) = 'array' and not exists (
         select from found f where f.site_id = x.site_id
           and (f.type, f.slug, f.kind, f.file) = (x.type, x.slug, x.kind, x.file))
     )
     insert into site_extensions as x (site_id, owner_id, type, slug, kind, file, name, version, status, is_network_active,
       parent, has_update, new_version, is_main)
     select * from found
     on conflict (site_id, type, slug, kind, file) do update set name = excluded.name, version = excluded.version,
       status = excluded.status, is_network_active = excluded.is_network_active, parent = excluded.parent,
       has_update = excluded.has_update, new_version = excluded.new_version, is_main = excluded.is_main
     where (x.name, x.version, x.status, x.is_network_active, x.parent, x.has_update, x.new_version, x.is_main)
       is distinct from (excluded.name, excluded.version, excluded.status, excluded.is_network_active, excluded.parent,
         excluded.has_update, excluded.new_version, excluded.is_main)`,
    [toJsonb([...rows])],
  );
}

type FailedSite = Pick<SiteReport, 'id' | 'version' | 'logins'> & {
  error: string;
  is_refusal: boolean;
  shown_key: string | null;
};

/** SQL joining a site to the server whose address and credential it uses. */
const lendingServer = `left join servers v on v.id = s.server_id and s.credential is null
  and (coalesce(s.host, v.host), coalesce(s.port, v.port), coalesce(s.login, v.login)) = (v.host, v.port, v.login)`;

/**
 * Stores a refused credential or a changed host key on the server when the site uses the server's connection, unless
 * somebody logged in since: it is outdated then.
 */
async function saveFailures(manager: EntityManager, failed: readonly FailedSite[]): Promise<void> {
  await manager.query(
    `with failed as (
       select s.id, v.id as server_id, r.error, r.is_refusal, r.shown_key
       from jsonb_to_recordset($1::jsonb) as r(id uuid, version int, logins int, error text, is_refusal boolean,
         shown_key text)
       join sites s on s.id = r.id and s.version = r.version ${lendingServer}
       where not (r.is_refusal or r.shown_key is not null)
         or r.logins is null or r.logins = case when v.id is null then s.logins else v.logins end
     ), of_servers as (
       update servers v set refusal = case when f.is_refusal then f.error else v.refusal end,
         shown_key = coalesce(f.shown_key, v.shown_key)
       from failed f where f.server_id = v.id and (f.is_refusal or f.shown_key is not null))
     update sites s set ssh_error = f.error,
       refusal = case when f.is_refusal and f.server_id is null then f.error else s.refusal end,
       shown_key = case when f.server_id is null then coalesce(f.shown_key, s.shown_key) else s.shown_key end
     from failed f where s.id = f.id`,
    [toJsonb([...failed])],
  );
}

/** Pins the first key that a host shows; later connections must see the same key. */
async function pinHostKeys(manager: EntityManager, reports: readonly SiteReport[]): Promise<void> {
  const hostKeys = reports.flatMap(({ id, version, host_key: key }) => (key ? [{ id, version, key }] : []));
  if (hostKeys.length === 0) return;
  await manager.query(
    `with shown as (select * from jsonb_to_recordset($1::jsonb) as r(id uuid, version int, key text)),
       ways as (
         select s.id, v.id as server_id, r.key from shown r join sites s on s.id = r.id and s.version = r.version ${lendingServer}),
       of_servers as (
         update servers v set host_key = w.key from ways w where v.id = w.server_id and v.host_key is null)
     update sites s set host_key = w.key from ways w where s.id = w.id and w.server_id is null and s.host_key is null`,
    [JSON.stringify(hostKeys)],
  );
}
