import type { Extension } from '@vigie/contracts/inventory';
import type { Site as SiteView, SiteItem } from '@vigie/contracts/sites';
import type { EntityManager } from 'typeorm';
import { groupsOf } from '../groups/memberships';
import { addressOf, type Server } from '../servers/server.entity';
import { findWhole, unknownSite } from './find-site';
import { effectiveOf, type SiteWay, waysOf } from './site-access';
import type { Site } from './site.entity';

/** Lines of a list: as many queries for a thousand of them as for one. */
export async function toItems(manager: EntityManager, sites: readonly Site[]): Promise<SiteItem[]> {
  const ids = sites.map(({ id }) => id);
  const [ways, groups] = [await waysOf(manager, sites), await groupsOf(manager, 'sites', ids)];
  return ways.map((way) => toItem(way, groups.get(way.site.id) ?? []));
}

export async function toSite(manager: EntityManager, id: string): Promise<SiteView> {
  const site = await findWhole(manager, id);
  const [item] = await toItems(manager, [site]);
  if (!item) throw unknownSite();
  const extensions = await extensionsOf(manager, id);
  const { facts } = site;
  return {
    ...item,
    plugins: extensions.filter(({ type }) => type === 'plugin'),
    themes: extensions.filter(({ type }) => type === 'theme'),
    checks: facts?.checks ?? null,
    facts: facts ?? null,
    created_at: site.createdAt.toISOString(),
  };
}

async function extensionsOf(manager: EntityManager, siteId: string): Promise<Extension[]> {
  return manager.query(
    `select type, slug, nullif(file, '') as file, name, version, status, kind, is_network_active, parent,
       has_update as "hasUpdate", new_version
     from site_extensions where site_id = $1 order by name, slug, kind, file`,
    [siteId],
  );
}

function toItem({ site, server }: SiteWay, groups: string[]): SiteItem {
  const { coreUpdates: core, pluginUpdates: plugins, themeUpdates: themes } = site;
  return {
    id: site.id,
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
    // Until there are backups.
    last_backup_at: null,
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
  effective: effectiveOf(site, server && addressOf(server)),
});
