import { writeOutboxEvents } from '@vigie/service-kit/outbox';
import { type EntityManager, In } from 'typeorm';
import { recordDoings } from '../activity/doings';
import { orphanBackups } from '../backups/keep-backup';
import { endSweeps } from '../sweeps/schedule';
import { Site } from './site.entity';

/** Their registrations, with all that hangs on them; whoever calls holds them. */
export async function removeSites(manager: EntityManager, sites: readonly Site[]): Promise<void> {
  const ids = sites.map(({ id }) => id);
  await orphanBackups(manager, ids);
  // Before they go: what is counted of plugins and groups follows each deletion, which is one for each site otherwise.
  for (const table of ['site_extensions', 'site_groups']) {
    await manager.query(`delete from ${table} where site_id = any($1::uuid[])`, [ids]);
  }
  await manager.delete(Site, { id: In(ids) });
  await endSweeps(manager, ids);
  await writeOutboxEvents(
    manager,
    ids.map((id) => ({ kind: 'site_deleted', site_id: id })),
  );
  await recordDoings(
    manager,
    sites.map((site) => ({ type: 'site_delete', site, details: { url: site.url } })),
  );
}
