import { AppError } from '@vigie/contracts/errors';
import { type EntityManager, In } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import type { Target } from '../jobs/jobs';
import { unknownSite, unknownSites } from './find-site';
import { siteAccess, siteTarget, type SiteWay, toSiteToRead, waysOf } from './site-access';
import { type KeptFacts, Site } from './site.entity';
import { contentOf } from './sure-facts';

/** A site, the way to it, and what is known that decides whether it may be changed. */
export type Ground = SiteWay & { facts: KeptFacts | null };
export type Grounds = ReadonlyMap<string, Ground>;

/** Sites as they are, held by nobody. */
export const findGrounds = (manager: EntityManager, ids: readonly string[]) => readGrounds(manager, ids, false);

/** Sites that are held until the end of the transaction: of two who change one, the second finds what the first asked. */
export const holdGrounds = (manager: EntityManager, ids: readonly string[]) => readGrounds(manager, ids, true);

async function readGrounds(manager: EntityManager, ids: readonly string[], isHeld: boolean): Promise<Grounds> {
  const wanted = new Set(ids);
  const query = manager
    .createQueryBuilder(Site, 's')
    .addSelect('s.facts')
    .where({ id: In([...wanted]), ...ownerFilter() })
    .orderBy('s.id');
  const sites = await (isHeld ? query.setLock('for_no_key_update') : query).getMany();
  if (sites.length < wanted.size) throw wanted.size === 1 ? unknownSite() : unknownSites();
  const ways = await waysOf(manager, sites);
  return new Map(ways.map((way) => [way.site.id, { ...way, facts: way.site.facts ?? null }]));
}

export const findGround = async (manager: EntityManager, id: string) => only(await findGrounds(manager, [id]));

/** Held until the end of the transaction. */
export const holdGround = async (manager: EntityManager, id: string) => only(await holdGrounds(manager, [id]));

function only(grounds: Grounds): Ground {
  const [ground] = grounds.values();
  if (!ground) throw new Error('a site that is found is there');
  return ground;
}

/** What a job is told of the site it is about. */
export const placeOf = ({ site, facts }: Ground) => ({
  site: toSiteToRead(site),
  content: contentOf(facts),
});

/** Where work on it waits; there is none where nobody could log in. */
export function targetOf(way: SiteWay): Target {
  const access = siteAccess(way, false);
  if (access instanceof AppError) throw access;
  return siteTarget(way);
}
