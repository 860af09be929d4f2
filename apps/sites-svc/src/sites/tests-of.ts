import type { EntityManager } from 'typeorm';
import { keepSites } from './find-site';
import { siteTarget, toSiteToRead, waysOf } from './site-access';

/** The tests of these sites, or of all. */
export async function testsOf(manager: EntityManager, ids: readonly string[] | undefined) {
  const ways = await waysOf(manager, await keepSites(manager, ids));
  return ways.map((way) => ({ on: siteTarget(way), input: { site: toSiteToRead(way.site) } }));
}
