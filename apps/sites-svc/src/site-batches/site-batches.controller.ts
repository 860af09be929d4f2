import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { sitesOutboxWritten } from '@vigie/contracts/outbox';
import { serversChanged } from '@vigie/contracts/servers';
import { backupSites, deleteSites, groupSites, planSiteBatch } from '@vigie/contracts/site-batches';
import { Bus } from '@vigie/service-kit/bus';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { auditBackups } from '../backups/audit-backups';
import { noBackupPossible, toNewBackups } from '../backups/backup-requests';
import { withSharedRole } from '../owners/reach';
import { RequestedJobs } from '../queue/requested-jobs';
import { findSiteContexts, lockSiteContexts } from '../sites/site-contexts';
import { moveSites } from './group-sites';
import { planOfBatch } from './plan';
import { removeSites } from '../sites/remove-sites';

/** Plans and applies one action to several sites, to all or none. */
@Controller()
export class SiteBatchesController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly jobs: RequestedJobs,
  ) {}

  @Handles(planSiteBatch)
  async plan({ verb, ids: siteIds, group_id: groupId }: Input<typeof planSiteBatch>) {
    const { manager } = this.database;
    const role = verb === 'test' || verb === 'backup' ? 'operator' : 'manager';
    return withSharedRole(role, async () => {
      const contexts = await findSiteContexts(manager, siteIds);
      return { items: await planOfBatch(manager, verb, [...contexts.values()], groupId) };
    });
  }

  @Handles(backupSites)
  async backup(input: Input<typeof backupSites>) {
    return this.jobs.createBatch(backupSites, input, {
      kind: 'backups.create',
      find: (manager) => toNewBackups(manager, input.ids, input.exclude_cache),
      refuseAll: noBackupPossible,
      audit: (manager, id) => auditBackups(manager, [id]),
    });
  }

  @Handles(groupSites)
  async group(input: Input<typeof groupSites>) {
    return this.database.transaction(async (manager) => {
      const count = new Set(input.ids).size;
      const existingId = await this.idempotencyKeys.claim(manager, groupSites, input, uuid());
      if (existingId === undefined) await moveSites(manager, input);
      return { count };
    });
  }

  @Handles(deleteSites)
  async delete(input: Input<typeof deleteSites>) {
    const siteIds = [...new Set(input.ids)];
    await this.database.transaction(async (manager) => {
      const existingId = await this.idempotencyKeys.claim(manager, deleteSites, input, uuid());
      if (existingId !== undefined) return;
      const contexts = await lockSiteContexts(manager, siteIds);
      await removeSites(
        manager,
        [...contexts.values()].map(({ site }) => site),
      );
    });
    this.bus.publish(serversChanged, { ids: siteIds });
    this.bus.publish(sitesOutboxWritten, {});
    return { count: siteIds.length };
  }
}
