import { coreSlug } from '@vigie/contracts/changes';
import type { Site as SiteView, SiteExtension, SiteItem } from '@vigie/contracts/sites';
import type { EntityManager } from 'typeorm';
import { rollbackCopySql } from '../items/rollback-copy.entity';
import { isBlocked } from '../items/installed-items';
import { groupsOf } from '../groups/memberships';
import { visibleOwner } from '../owners/owner-filter';
import { addressOf, type Server } from '../servers/server.entity';
import { findSiteWithState, unknownSite } from './find-site';
import { statusReasons } from './status-reasons';
import { findWork } from './site-work';
import { effectiveAddress, type SiteConnection, connectionsOf } from './site-access';
import type { Site } from './site.entity';

/** Runs the same number of queries for a thousand sites as for one. */
export async function toItems(manager: EntityManager, sites: readonly Site[]): Promise<SiteItem[]> {
  const ids = sites.map(({ id }) => id);
  const [connections, groups] = [await connectionsOf(manager, sites), await groupsOf(manager, 'sites', ids)];
  const work = await findWork(manager, ids);
  return connections.map((connection) => {
    const { id } = connection.site;
    const item = toItem(connection, groups.get(id) ?? []);
    return { ...item, status_reasons: statusReasons(item), work: work.get(id) ?? null };
  });
}

export async function toSite(manager: EntityManager, id: string): Promise<SiteView> {
  const site = await findSiteWithState(manager, id);
  const [item] = await toItems(manager, [site]);
  if (!item) throw unknownSite();
  const extensions = await extensionsOf(manager, id);
  const [core]: { previous: SiteView['previous'] }[] = await manager.query(
    `select ${rollbackCopySql('$1::uuid', "'core'", `'${coreSlug}'`)} as previous`,
    [id],
  );
  const { state } = site;
  return {
    ...item,
    previous: core?.previous ?? null,
    plugins: extensions.filter(({ type: kind }) => kind === 'plugin'),
    themes: extensions.filter(({ type: kind }) => kind === 'theme'),
    checks: state?.checks ?? null,
    facts: state ?? null,
    created_at: site.createdAt.toISOString(),
  };
}

async function extensionsOf(manager: EntityManager, siteId: string): Promise<SiteExtension[]> {
  return manager.query(
    `select i.type, i.slug, nullif(i.file, '') as file, i.name, i.version, i.status, i.kind, i.is_network_active, i.parent,
       i.has_update as "hasUpdate", i.new_version,
       i.has_update and ${isBlocked('i.type')} as "blockedByLicense",
       case when i.kind = 'regular' then ${rollbackCopySql('i.site_id', 'i.type', 'i.slug')} end as previous
     from site_extensions i where site_id = $1 order by name, slug, kind, file`,
    [siteId],
  );
}

function toItem({ site, server }: SiteConnection, groups: string[]): Omit<SiteItem, 'status_reasons' | 'work'> {
  const { coreUpdates: core, pluginUpdates: plugins, themeUpdates: themes } = site;
  return {
    id: site.id,
    ...visibleOwner(site.ownerId),
    name: site.name,
    url: site.url,
    groups,
    connection: { method: 'ssh', ssh: toSsh(site, server) },
    status: site.status ?? 'unknown',
    ssh_error: site.sshError,
    problem: site.problem,
    http: site.http,
    wpCore: { version: site.wpVersion, hasUpdate: (core ?? 0) > 0, new_version: site.newWpVersion },
    php_version: site.phpVersion,
    updates:
      core === null && plugins === null && themes === null
        ? null
        : { core: core ?? 0, plugins: plugins ?? 0, themes: themes ?? 0 },
    plugins_count: site.pluginsCount,
    themes_count: site.themesCount,
    last_backup_at: site.lastBackupAt?.toISOString() ?? null,
    read_at: site.readAt?.toISOString() ?? null,
  };
}

const toSsh = (site: Site, server: Server | null): SiteItem['connection']['ssh'] => ({
  server_id: server?.id ?? null,
  server_name: server?.name ?? null,
  host: site.host,
  port: site.port,
  user: site.user,
  wp_path: site.path,
  has_password: site.method === 'password',
  has_key: site.method === 'key' || site.method === 'pair',
  public_key: site.publicKey,
  host_key: site.hostKey,
  effective: effectiveAddress(site, server && addressOf(server)),
});
