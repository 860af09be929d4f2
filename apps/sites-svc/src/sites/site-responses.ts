import { coreSlug } from '@vigie/contracts/changes';
import type { Site as SiteView, SiteExtension, SiteItem } from '@vigie/contracts/sites';
import { queryPrepared } from '@vigie/service-kit/database';
import type { EntityManager } from 'typeorm';
import { rollbackCopySql } from '../items/rollback-copy.entity';
import { isBlocked } from '../items/installed-items';
import { isNarrowed } from '@vigie/service-kit/context';
import { hidePlacesIn } from '../owners/hide-places';
import { visibleOwner } from '../owners/owner-filter';
import {
  type GrantOfRow,
  grantOfRow,
  reachesGroup,
  reachesSite,
  reachingCaller,
  sharedRole,
  toCallerRole,
  withSharedRole,
} from '../owners/reach';
import type { SshAddress } from '@vigie/contracts/credentials';
import { sshErrorSql } from './failures';
import { placesSql } from './places';
import { unknownSite } from './find-site';
import { statusReasons } from './status-reasons';
import { siteWorkSql } from './site-work';
import { effectiveAddress } from './site-access';
import type { Site, StoredSiteState } from './site.entity';

/** A site as the lists show it, with its server’s name and address. */
type SiteRow = Pick<SiteItem, 'id' | 'name' | 'url' | 'groups' | 'status' | 'ssh_error' | 'problem' | 'http' | 'work'> &
  Pick<SiteItem, 'php_version' | 'plugins_count' | 'themes_count'> &
  Pick<Site, 'host' | 'port' | 'user' | 'method'> & {
    owner_id: string;
    grant: GrantOfRow | null;
    places: string[] | null;
    server_id: string | null;
    server_name: string | null;
    server_address: SshAddress | null;
    wp_path: string | null;
    public_key: string | null;
    host_key: string | null;
    wp_version: string | null;
    new_wp_version: string | null;
    updates_core: number | null;
    updates_plugins: number | null;
    updates_themes: number | null;
    read_at: Date | null;
    last_backup_at: Date | null;
  };

/** SQL; `$2` is the caller. Facts are large, and hold what must be hidden only in the rows of this condition. */
const rowColumns = (
  hasPlaces = 's.problem is not null',
) => `s.id, s.owner_id, ${grantOfRow('sites', 's', '$2')} as grant,
  ${sharedRole() ? `case when (s.owner_id <> $2 or ${isNarrowed()}) and ${hasPlaces} then ${placesSql} end` : 'null'} as places, s.name, s.url, s.host, s.port, s.login as user, s.wp_path, s.method, s.public_key,
  s.host_key, coalesce(s.status::text, 'unknown') as status, ${sshErrorSql('s', '$2')} as ssh_error, s.problem, s.http, s.php_version, s.wp_version,
  s.new_wp_version, s.plugins_count, s.themes_count, s.updates_core, s.updates_plugins, s.updates_themes, s.read_at,
  s.last_backup_at, v.id as server_id, v.name as server_name,
  case when v.id is not null then json_build_object('host', v.host, 'port', v.port, 'user', v.login) end as server_address,
  to_json(array(
    select g.id from site_groups m join groups g on g.id = m.group_id
    where m.site_id = s.id and ${reachesGroup('g', '$2')} order by g.name, g.id)) as groups,
  ${siteWorkSql} as work`;
const rowTables = 'sites s left join servers v on v.id = s.server_id';

/** Describes these sites, in their order, by one statement. The caller has checked that the user may see them. */
export async function toItems(manager: EntityManager, ids: readonly string[]): Promise<SiteItem[]> {
  const sql = withSharedRole('viewer', () => `select ${rowColumns()} from ${rowTables} where s.id = any($1::uuid[])`);
  const rows = await queryPrepared<SiteRow>(manager, sql, [ids, reachingCaller()]);
  const items = new Map(rows.map((row) => [row.id, toItem(row)]));
  return ids.flatMap((id) => items.get(id) ?? []);
}

const extensionsSql = `(
  select coalesce(json_agg(e order by e.name, e.slug, e.kind, e.file), '[]') from (
    select i.type, i.slug, nullif(i.file, '') as file, i.name, i.version, i.status, i.kind, i.is_network_active, i.parent,
      i.has_update as "hasUpdate", i.new_version,
      i.has_update and ${isBlocked('i.type')} as "blockedByLicense",
      case when i.kind = 'regular' then ${rollbackCopySql('i.site_id', 'i.type', 'i.slug')} end as previous
    from site_extensions i where i.site_id = s.id) e)`;

type SiteDetails = SiteRow & { state: StoredSiteState | null; created_at: Date; previous: SiteView['previous'] } & {
  extensions: SiteExtension[];
  can_open_console: boolean;
};

/** Reads a site that the caller may see. */
export async function toSite(
  manager: EntityManager,
  id: string,
): Promise<SiteView & { facts: StoredSiteState | null }> {
  const sql = withSharedRole(
    'viewer',
    () => `select ${rowColumns('true')}, s.facts as state, s.created_at, ${extensionsSql} as extensions,
       ${!isNarrowed()} and can_open_console(s.id, $2) as can_open_console,
       ${rollbackCopySql('s.id', "'core'", `'${coreSlug}'`)} as previous
     from ${rowTables} where s.id = $1 and ${reachesSite('s', '$2')}`,
  );
  const [row] = await queryPrepared<SiteDetails>(manager, sql, [id, reachingCaller()]);
  if (!row) throw unknownSite();
  const { state, extensions } = row;
  return {
    ...toItem(row),
    previous: row.previous,
    plugins: extensions.filter(({ type: kind }) => kind === 'plugin'),
    themes: extensions.filter(({ type: kind }) => kind === 'theme'),
    checks: state?.checks ?? null,
    facts: toVisible(row, state),
    can_open_console: row.can_open_console,
    created_at: row.created_at.toISOString(),
  };
}

function toItem(row: SiteRow): SiteItem {
  const { id, name, url, groups, status, ssh_error, problem, http, php_version, plugins_count, themes_count } = row;
  const { updates_core: core, updates_plugins: plugins, updates_themes: themes } = row;
  const item = {
    id,
    ...visibleOwner(row.owner_id),
    ...toCallerRole(row.grant),
    name,
    url,
    groups,
    connection: { method: 'ssh' as const, ssh: row.grant ? hiddenSsh : toSsh(row) },
    status,
    ssh_error,
    problem: toVisible(row, problem),
    http,
    wpCore: { version: row.wp_version, hasUpdate: (core ?? 0) > 0, new_version: row.new_wp_version },
    php_version,
    updates:
      core === null && plugins === null && themes === null
        ? null
        : { core: core ?? 0, plugins: plugins ?? 0, themes: themes ?? 0 },
    plugins_count,
    themes_count,
    last_backup_at: row.last_backup_at?.toISOString() ?? null,
    read_at: row.read_at?.toISOString() ?? null,
  };
  return { ...item, status_reasons: statusReasons(item), work: row.work };
}

/** What a grant shows of what was read on the site. */
const toVisible = <T extends object>({ grant, places }: SiteRow, value: T | null): T | null =>
  value && grant ? hidePlacesIn(value, places ?? []) : value;

/** A grant shows no connection. */
const hiddenSsh: SiteItem['connection']['ssh'] = {
  server_id: null,
  server_name: null,
  host: null,
  port: null,
  user: null,
  wp_path: null,
  has_password: false,
  has_key: false,
  public_key: null,
  host_key: null,
  effective: null,
};

const toSsh = (row: SiteRow): SiteItem['connection']['ssh'] => ({
  server_id: row.server_id,
  server_name: row.server_name,
  host: row.host,
  port: row.port,
  user: row.user,
  wp_path: row.wp_path,
  has_password: row.method === 'password',
  has_key: row.method === 'key' || row.method === 'pair',
  public_key: row.public_key,
  host_key: row.host_key,
  effective: effectiveAddress(row, row.server_address),
});
