import type { EntityManager } from 'typeorm';
import { findSitesInMaintenance } from '../maintenance-windows/running-windows';
import { findSitesUnderWork } from '../queue/sites-under-work';

/** The sites on which Vigie works itself, and those in maintenance. */
export async function findExcused(manager: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  return new Set([...(await findSitesUnderWork(manager, ids)), ...(await findSitesInMaintenance(manager, ids))]);
}
