import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';
import type { JobTarget } from '../queue/jobs';
import { reachedSites, siteRefusal } from './find-site';
import { siteAccess, siteTarget, type SiteConnection, toSiteToRead, connectionsOf } from './site-access';
import type { StoredSiteState } from './site.entity';
import { contentFolderOf } from './site-state';

export type SiteContext = SiteConnection & { state: StoredSiteState | null };
export type SiteContexts = ReadonlyMap<string, SiteContext>;

export const findSiteContexts = (manager: EntityManager, ids: readonly string[]) =>
  readSiteContexts(manager, ids, false);

/** Locks the sites' rows until the transaction ends, so that two requests cannot both create a change of one item. */
export const lockSiteContexts = (manager: EntityManager, ids: readonly string[]) =>
  readSiteContexts(manager, ids, true);

async function readSiteContexts(
  manager: EntityManager,
  ids: readonly string[],
  isLocked: boolean,
): Promise<SiteContexts> {
  const distinctIds = new Set(ids);
  const query = reachedSites(manager)
    .addSelect('s.state')
    .andWhere('s.id = any(cast(:ids as uuid[]))', { ids: [...distinctIds] })
    .orderBy('s.id');
  const sites = await (isLocked ? query.setLock('for_no_key_update') : query).getMany();
  if (sites.length < distinctIds.size) throw await siteRefusal(manager, [...distinctIds]);
  const connections = await connectionsOf(manager, sites);
  return new Map(
    connections.map((connection) => [connection.site.id, { ...connection, state: connection.site.state ?? null }]),
  );
}

export const findSiteContext = async (manager: EntityManager, id: string) =>
  single(await findSiteContexts(manager, [id]));

export const lockSiteContext = async (manager: EntityManager, id: string) =>
  single(await lockSiteContexts(manager, [id]));

function single(contexts: SiteContexts): SiteContext {
  const [context] = contexts.values();
  if (!context) throw new Error('a site that is found is there');
  return context;
}

export const toSiteJobInput = ({ site, state }: SiteContext) => ({
  site: toSiteToRead(site),
  content: contentFolderOf(state),
});

/** Throws when nobody can log in to the site's host. */
export function requireJobTarget(connection: SiteConnection): JobTarget {
  const access = siteAccess(connection, false);
  if (access instanceof AppError) throw access;
  return siteTarget(connection);
}
