import type { SshAccess, SshAddress } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { SiteToRead } from '@vigie/contracts/site-checks';
import { type EntityManager, In } from 'typeorm';
import type { Target } from '../jobs/jobs';
import { addressOf, Server, toAccess } from '../servers/server.entity';
import type { Site } from './site.entity';

/** A site, and the server that it names. */
export type SiteWay = { site: Site; server: Server | null };

/** What says where a site is; what it leaves open is its server's, or the default. */
type Place = Pick<Site, 'host' | 'port' | 'user'>;

export function effectiveOf(site: Place, server: SshAddress | null): SshAddress | null {
  const host = site.host ?? server?.host;
  if (host === undefined) return null;
  return { host, port: site.port ?? server?.port ?? 22, user: site.user ?? server?.user ?? 'root' };
}

const parts = ['host', 'port', 'user'] as const;

export const isSameAddress = (one: SshAddress | null, other: SshAddress | null) =>
  one !== null && other !== null && parts.every((part) => one[part] === other[part]);

/** A password is for one place; whoever needs another one gives it there. */
export const needsOwnCredential = () =>
  new AppError(
    'invalid',
    'Le mot de passe du serveur ne vaut que pour son hôte, son port et son utilisateur\u00a0: donnez à ce site son propre mot de passe ou sa propre clé.',
  );

const movedAway = () =>
  new AppError(
    'conflict',
    'L’adresse de ce site a changé depuis que son mot de passe a été donné\u00a0: saisissez-le de nouveau.',
  );

const noWay = () =>
  new AppError('invalid', 'Ce site n’a plus de serveur\u00a0: renseignez hôte, utilisateur et chemin WP.');

/** With its server's access where that is all it needs, so that what is open to it is shared. */
export function siteAccess({ site, server }: SiteWay, allowsPrivate: boolean): SshAccess | AppError {
  const address = effectiveOf(site, server);
  if (!address) return noWay();
  const own = { ...address, row: { table: 'sites' as const, id: site.id }, version: site.version };
  const lent = {
    host_key: site.hostKey,
    allows_private: allowsPrivate,
    kills_children: server?.killsChildren ?? false,
  };
  if (site.credential && site.credentialFor) {
    if (isSameAddress(site.credentialFor, address)) return { ...own, ...lent, credential: site.credential };
    if (site.method === 'password') return movedAway();
    return { ...own, ...lent, credential: site.credential, sealed_for: { row: own.row, address: site.credentialFor } };
  }
  if (!server) return noWay();
  if (isSameAddress(addressOf(server), address)) return toAccess(server, allowsPrivate);
  if (server.method === 'password') return needsOwnCredential();
  const lender = { row: { table: 'servers' as const, id: server.id }, address: addressOf(server) };
  return { ...own, ...lent, credential: server.credential, sealed_for: lender };
}

/** What is logged in with was refused, and nobody has changed or tested it since. */
export const isRefused = ({ site, server }: SiteWay): boolean =>
  (site.credential ? site.refusal : (site.refusal ?? server?.refusal ?? null)) !== null;

export const toSiteToRead = ({ id, version, path, url, phpBinary }: Site): SiteToRead => ({
  id,
  version,
  path,
  url,
  php: phpBinary,
});

/** What is done on it waits in the lane of its host; one that has none is refused when its turn comes. */
export function siteTarget({ site, server }: SiteWay): Target {
  const { host = site.id, port = 0 } = effectiveOf(site, server) ?? {};
  return { of: 'site', id: site.id, name: site.name, ownerId: site.ownerId, host, port };
}

export async function waysOf(manager: EntityManager, sites: readonly Site[]): Promise<SiteWay[]> {
  const ids = [...new Set(sites.flatMap(({ serverId }) => serverId ?? []))];
  const servers = ids.length === 0 ? [] : await manager.findBy(Server, { id: In(ids) });
  const known = new Map(servers.map((server) => [server.id, server]));
  return sites.map((site) => ({ site, server: known.get(site.serverId ?? '') ?? null }));
}
