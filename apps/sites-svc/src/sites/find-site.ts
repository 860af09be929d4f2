import { AppError } from '@vigie/contracts/errors';
import { type EntityManager, Any } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { Site } from './site.entity';

export const unknownSite = () => new AppError('not_found', 'Ce site n’existe pas ou n’existe plus.');

export const unknownSites = () =>
  new AppError('not_found', 'Un de ces sites n’existe pas ou n’existe plus. Rechargez la liste.');

export async function findSite(manager: EntityManager, id: string): Promise<Site> {
  const site = await manager.findOneBy(Site, { id, ...ownerFilter() });
  if (!site) throw unknownSite();
  return site;
}

export async function lockSite(manager: EntityManager, id: string): Promise<Site> {
  const site = await manager.findOne(Site, { where: { id, ...ownerFilter() }, lock: { mode: 'pessimistic_write' } });
  if (!site) throw unknownSite();
  return site;
}

/** Sorts the sites by name, the last one first: lists show the newest job first, so the jobs end up in order. */
export async function lockSitesToTest(manager: EntityManager, ids: readonly string[] | undefined): Promise<Site[]> {
  const sites = await manager.find(Site, {
    where: { ...ownerFilter(), ...(ids && { id: Any([...ids]) }) },
    order: { name: 'DESC', id: 'DESC' },
    lock: { mode: 'for_key_share' },
  });
  if (ids && sites.length < new Set(ids).size) throw unknownSites();
  if (sites.length === 0) throw new AppError('invalid', 'Il n’y a aucun site à tester.');
  return sites;
}
