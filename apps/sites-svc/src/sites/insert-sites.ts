import type { EntityManager } from 'typeorm';
import { recordAuditEvents } from '../activity/audit-events';
import { scheduleSites } from '../sweeps/schedule';
import { Site } from './site.entity';

/** A new site: fields that are left out take their defaults. `details` is for the audit. */
export type NewSite = Pick<Site, 'id' | 'ownerId' | 'name' | 'url'> & Partial<Site>;

/** Registers sites, and has them scanned and visited at once. Their groups come after, because these lock counts. */
export async function insertSites(
  manager: EntityManager,
  sites: readonly { site: NewSite; details: Record<string, unknown> }[],
): Promise<void> {
  if (sites.length === 0) return;
  await manager.insert(
    Site,
    sites.map(({ site }) => ({ version: 1, ...site })),
  );
  await scheduleSites(
    manager,
    sites.map(({ site: { id } }) => id),
  );
  await recordAuditEvents(
    manager,
    sites.map(({ site, details }) => ({ type: 'site_create', site, details: { url: site.url, ...details } })),
  );
}
