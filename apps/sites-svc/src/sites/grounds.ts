import { AppError } from '@vigie/contracts/errors';
import { type EntityManager, In } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { unknownSite } from './find-site';
import { type SiteWay, waysOf } from './site-access';
import { type KeptFacts, Site } from './site.entity';

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

const unknownSites = () =>
  new AppError('not_found', 'Un de ces sites n’existe pas ou n’existe plus. Rechargez la liste.');
