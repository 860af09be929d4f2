import type { SshAccess, SshAddress } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { SiteTarget } from '@vigie/contracts/site-checks';
import { type EntityManager, Any } from 'typeorm';
import type { JobTarget } from '../queue/jobs';
import { addressOf, Server, toAccess } from '../servers/server.entity';
import type { Site } from './site.entity';

export type SiteConnection = { site: Site; server: Server | null };

/** Null fields fall back to the server's address, then to defaults. */
type AddressFields = Pick<Site, 'host' | 'port' | 'user'>;

export function effectiveAddress(site: AddressFields, server: SshAddress | null): SshAddress | null {
  const host = site.host ?? server?.host;
  if (host === undefined) return null;
  return { host, port: site.port ?? server?.port ?? 22, user: site.user ?? server?.user ?? 'root' };
}

const addressParts = ['host', 'port', 'user'] as const;

export const isSameAddress = (one: SshAddress | null, other: SshAddress | null) =>
  one !== null && other !== null && addressParts.every((part) => one[part] === other[part]);

export const needsOwnCredential = () =>
  new AppError(
    'invalid',
    'Le mot de passe du serveur ne vaut que pour son hôte, son port et son utilisateur\u00a0: donnez à ce site son propre mot de passe ou sa propre clé.',
  );

const passwordNeeded = () =>
  new AppError(
    'conflict',
    'L’adresse de ce site a changé depuis que son mot de passe a été donné\u00a0: saisissez-le de nouveau.',
  );

const noConnection = () =>
  new AppError('invalid', 'Ce site n’a plus de serveur\u00a0: renseignez hôte, utilisateur et chemin WP.');

/** Returns the server's own access when the site needs nothing else, so that the agents can share one connection. */
export function siteAccess({ site, server }: SiteConnection, allowsPrivate: boolean): SshAccess | AppError {
  const address = effectiveAddress(site, server);
  if (!address) return noConnection();
  const own = { ...address, row: { table: 'sites' as const, id: site.id }, version: site.version, logins: site.logins };
  const connectionOptions = {
    host_key: site.hostKey,
    allows_private: allowsPrivate,
    kills_children: server?.killsChildren ?? false,
  };
  if (site.credential && site.credentialFor) {
    if (isSameAddress(site.credentialFor, address))
      return { ...own, ...connectionOptions, credential: site.credential };
    if (site.method === 'password') return passwordNeeded();
    return {
      ...own,
      ...connectionOptions,
      credential: site.credential,
      sealed_for: { row: own.row, address: site.credentialFor },
    };
  }
  if (!server) return noConnection();
  if (isSameAddress(addressOf(server), address)) return toAccess(server, allowsPrivate);
  if (server.method === 'password') return needsOwnCredential();
  const sealedFor = { row: { table: 'servers' as const, id: server.id }, address: addressOf(server) };
  return { ...own, ...connectionOptions, credential: server.credential, sealed_for: sealedFor };
}

export const isCredentialRefused = ({ site, server }: SiteConnection): boolean =>
  (site.credential ? site.refusal : (site.refusal ?? server?.refusal ?? null)) !== null;

export const toSiteToRead = ({ id, version, path, url, phpBinary }: Site): SiteTarget => ({
  id,
  version,
  path,
  url,
  php: phpBinary,
});

/** A site without a host gets a lane of its own: its job is refused when an agent claims it. */
export function siteTarget({ site, server }: SiteConnection): JobTarget {
  const { host = site.id, port = 0 } = effectiveAddress(site, server) ?? {};
  return { type: 'site', id: site.id, name: site.name, ownerId: site.ownerId, host, port };
}

export async function connectionsOf(manager: EntityManager, sites: readonly Site[]): Promise<SiteConnection[]> {
  const ids = [...new Set(sites.flatMap(({ serverId }) => serverId ?? []))];
  const servers = ids.length === 0 ? [] : await manager.findBy(Server, { id: Any(ids) });
  const serversById = new Map(servers.map((server) => [server.id, server]));
  return sites.map((site) => ({ site, server: serversById.get(site.serverId ?? '') ?? null }));
}

/** Locks the server's row, at the version that the secret was sealed for, until the transaction ends. */
export async function requireUnchangedServer(
  manager: EntityManager,
  server: Server | null,
  ownerId: string,
): Promise<void> {
  if (!server) return;
  const { id, version } = server;
  const locked = await manager.findOne(Server, { where: { id, ownerId, version }, lock: { mode: 'for_key_share' } });
  if (!locked) throw changedElsewhere();
}

export const changedElsewhere = () =>
  new AppError(
    'conflict',
    'Ce site ou son serveur vient d’être modifié ailleurs. Rechargez la page, puis recommencez.',
  );
