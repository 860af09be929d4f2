import type { Input } from '@vigie/contracts/contract';
import type { openConsole } from '@vigie/contracts/shells';
import { connectionFailed, type SshAccess } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { isNarrowed } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { owns } from '../owners/owner-filter';
import { isAdministrator } from '../owners/owners';
import { reachingCaller } from '../owners/reach';
import { findServer, lockServer } from '../servers/find-server';
import { addressOf, Server, toAccess } from '../servers/server.entity';
import { findSite, lockSite, unknownSite } from '../sites/find-site';
import { siteAccess } from '../sites/site-access';
import { Site } from '../sites/site.entity';
import type { Console } from './console.entity';

export type Place = Input<typeof openConsole>;
type OpenedPlace = Pick<
  Console,
  'serverId' | 'siteId' | 'name' | 'serverType' | 'folder' | 'isShared' | 'host' | 'port' | 'user'
> & { folderOf?: string };

const reachesMore =
  'La console de ce site n’est pas ouverte à ce partage\u00a0: sa connexion atteint plus que ce qui est partagé avec vous.';

/** Checks that the caller may use consoles of this server or site. */
export async function checkPlace(manager: EntityManager, { server_id: serverId, site_id: siteId }: Place) {
  if (serverId) await findServer(manager, serverId);
  else await requireAccess(manager, await findSite(manager, requireSiteId(siteId)));
}

/** Locks the server or site of a new console, so that two consoles cannot both be the last one that it admits. */
export async function lockPlace(
  manager: EntityManager,
  { server_id: serverId, site_id: siteId }: Place,
): Promise<OpenedPlace> {
  if (!serverId) return openedSite(manager, await lockSite(manager, requireSiteId(siteId)));
  const server = await lockServer(manager, serverId);
  const site = siteId ? await findSite(manager, siteId) : undefined;
  if (site && site.serverId !== serverId) throw unknownSite();
  const { name, type: serverType } = server;
  const folder = { folder: site?.path ?? null, ...(site && { folderOf: site.name }) };
  return { serverId, siteId: null, name, serverType, isShared: false, ...folder, ...addressOf(server) };
}

async function openedSite(manager: EntityManager, site: Site): Promise<OpenedPlace> {
  const { host, port, user } = await requireAccess(manager, site);
  const { id: siteId, name, path: folder } = site;
  return { serverId: null, siteId, name, serverType: null, isShared: !owns(site), folder, host, port, user };
}

/** A token that is narrowed to groups opens none: its user may own more on the same machine. */
async function requireAccess(manager: EntityManager, site: Site): Promise<SshAccess> {
  if (isNarrowed()) throw new AppError('forbidden', reachesMore);
  const access = await accessOfSite(manager, site);
  if (access instanceof AppError) throw owns(site) ? access : new AppError('conflict', connectionFailed);
  const [row]: { is_open: boolean }[] = await manager.query('select can_open_console($1, $2) as is_open', [
    site.id,
    reachingCaller(),
  ]);
  if (!row?.is_open) throw new AppError('forbidden', reachesMore);
  return access;
}

async function accessOfSite(manager: EntityManager, site: Site): Promise<SshAccess | AppError> {
  const server = site.serverId === null ? null : await manager.findOneBy(Server, { id: site.serverId });
  return siteAccess({ site, server }, await isAdministrator(manager, site.ownerId));
}

/** The access of a console's server or site as it is now; undefined if there is none any more. */
export async function currentAccess(
  manager: EntityManager,
  { serverId, siteId }: Pick<Console, 'serverId' | 'siteId'>,
): Promise<SshAccess | undefined> {
  const site = siteId && (await manager.findOneBy(Site, { id: siteId }));
  const access = site && (await accessOfSite(manager, site));
  if (access) return access instanceof AppError ? undefined : access;
  const server = serverId && (await manager.findOneBy(Server, { id: serverId }));
  return server ? toAccess(server, await isAdministrator(manager, server.ownerId)) : undefined;
}

const entities = { sites: Site, servers: Server };
/** The row whose pin and refusal an access is about. */
export const entityOf = ({ row }: SshAccess) => entities[row.table];

/** SQL for the caller of `can_open_console` who uses the console `c`. */
const callerSql = `case when c.admin_mode and exists (select from owners a where a.user_id = c.user_id and a.is_admin) then null else c.user_id end`;

/** SQL: the user of the console `c` may go on using it. A site that moved to another connection leaves its consoles behind. */
export const isAllowedSql = `case when c.site_id is null
  then exists (select from servers v where v.id = c.server_id and v.owner_id = coalesce(${callerSql}, v.owner_id))
  else can_open_console(c.site_id, ${callerSql}) and exists (
    select from sites s left join servers v on v.id = s.server_id
    where s.id = c.site_id and (coalesce(s.host, v.host), coalesce(s.port, v.port, 22), coalesce(s.login, v.login, 'root'))
      = (c.host, c.port, c.login)) end`;

/** Checks again once the host has shown its key, which may be that of a machine known by another name. */
export async function refuseRevoked(manager: EntityManager, id: string): Promise<void> {
  const [row]: { is_allowed: boolean }[] = await manager.query(
    `select ${isAllowedSql} as is_allowed from consoles c where c.id = $1`,
    [id],
  );
  if (!row?.is_allowed) throw new AppError('forbidden', reachesMore);
}

function requireSiteId(siteId: string | null | undefined): string {
  if (siteId) return siteId;
  throw new AppError('invalid', 'Une console s’ouvre sur un serveur ou sur un site.');
}
