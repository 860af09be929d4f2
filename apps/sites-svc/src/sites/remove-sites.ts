import { writeOutboxEvents } from '@vigie/service-kit/outbox';
import { type EntityManager, In } from 'typeorm';
import { recordAuditEvents } from '../activity/audit-events';
import { removeSubjects } from '../incidents/end-incidents';
import { endSweeps } from '../sweeps/schedule';
import { Site } from './site.entity';

/** Stored backups stay this long after their site was deleted. */
export const orphanDays = 30;

/** The caller has locked the sites' rows. */
export async function removeSites(manager: EntityManager, sites: readonly Site[]): Promise<void> {
  const ids = sites.map(({ id }) => id);
  // Before what a site must show, as who changes that does.
  await manager.query('select from sites where id = any($1::uuid[]) order by id for update', [ids]);
  await orphanBackups(manager, ids);
  // One statement for all sites: cascading deletes would update the counts of plugins and groups once for each site.
  for (const table of ['site_extensions', 'site_groups']) {
    await manager.query(`delete from ${table} where site_id = any($1::uuid[])`, [ids]);
  }
  // In the order in which visits lock them; a cascade would take any.
  for (const table of ['site_check_rules', 'site_addresses', 'site_domains']) {
    await manager.query(
      `delete from ${table} where site_id in (
         select site_id from ${table} where site_id = any($1::uuid[]) order by site_id for update)`,
      [ids],
    );
  }
  await manager.delete(Site, { id: In(ids) });
  await endSweeps(manager, ids);
  await removeSubjects(manager, ids);
  await writeOutboxEvents(
    manager,
    ids.map((id) => ({ kind: 'site_deleted', site_id: id })),
  );
  await recordAuditEvents(
    manager,
    sites.map((site) => ({ type: 'site_delete', site, details: { url: site.url } })),
  );
}

/** Detaches stored backups from sites that are about to be deleted. */
async function orphanBackups(manager: EntityManager, siteIds: readonly string[]): Promise<void> {
  await manager.query(
    `update local_backups set site_id = null, goes_at = now() + make_interval(days => $2)
     where site_id = any($1::uuid[])`,
    [siteIds, orphanDays],
  );
}
