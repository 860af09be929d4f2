import { AppError } from '@vigie/contracts/errors';
import { isNarrowed } from '@vigie/service-kit/context';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { reachesSite, reachingCaller } from '../owners/reach';
import { refusalFor } from '../owners/role-refusal';
import { Site } from './site.entity';

export const unknownSite = () => new AppError('not_found', 'Ce site n’existe pas ou n’existe plus.');

const unknownSites = () =>
  new AppError('not_found', 'Un de ces sites n’existe pas ou n’existe plus. Rechargez la liste.');

/** The sites `s` that the caller reaches. */
export const reachedSites = (manager: EntityManager): SelectQueryBuilder<Site> =>
  manager.createQueryBuilder(Site, 's').where(reachesSite('s', 'cast(:caller as uuid)'), { caller: reachingCaller() });

/** The refusal of sites that the caller does not reach. */
export const siteRefusal = (manager: EntityManager, ids: readonly string[]) =>
  refusalFor(manager, 'sites', ids, ids.length === 1 ? unknownSite() : unknownSites());

/** A person who takes a site out of the group by which it is shared with them would lose it. */
export async function refuseLoss(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const reached = await reachedSites(manager).andWhere('s.id = any(cast(:ids as uuid[]))', { ids }).getCount();
  if (reached === ids.length) return;
  const which = ids.length === 1 ? 'Ce site' : 'Un de ces sites';
  throw new AppError('conflict', `${which} ${isNarrowed() ? outsideToken : lastGroup}`);
}

const outsideToken = 'ne serait plus dans les groupes de ce jeton.';
const lastGroup =
  'est partagé avec vous par ce groupe\u00a0: sans lui, vous ne le verriez plus. Demandez à son propriétaire de l’en sortir.';

export const findSite = (manager: EntityManager, id: string): Promise<Site> =>
  requireSite(manager, id, reachedSites(manager));

export const lockSite = (manager: EntityManager, id: string): Promise<Site> =>
  requireSite(manager, id, reachedSites(manager).setLock('pessimistic_write'));

/** Keeps the site and its owner until the transaction ends, while others may change the rest. */
export const keepSite = (manager: EntityManager, id: string): Promise<Site> =>
  requireSite(manager, id, reachedSites(manager).setLock('for_key_share'));

async function requireSite(manager: EntityManager, id: string, sites: SelectQueryBuilder<Site>): Promise<Site> {
  const site = await sites.andWhere('s.id = :id', { id }).getOne();
  if (!site) throw await siteRefusal(manager, [id]);
  return site;
}

/** Sorts the sites by name, the last one first: lists show the newest job first, so the jobs end up in order. */
export async function lockSitesToTest(manager: EntityManager, ids: readonly string[] | undefined): Promise<Site[]> {
  const query = reachedSites(manager).orderBy({ 's.name': 'DESC', 's.id': 'DESC' }).setLock('for_key_share');
  if (ids) query.andWhere('s.id = any(cast(:ids as uuid[]))', { ids });
  const sites = await query.getMany();
  if (ids && sites.length < new Set(ids).size) throw await siteRefusal(manager, ids);
  if (sites.length === 0) throw new AppError('invalid', 'Il n’y a aucun site à tester.');
  return sites;
}
