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
import { AskedBackups } from '../backups/asked-backups';
import { findGrounds, holdGrounds } from '../sites/grounds';
import { moveSites } from './group-sites';
import { planOf } from './plan';
import { removeSites } from '../sites/remove-sites';

/** What is done to several sites at once: what would come of it, and all of it or none. */
@Controller()
export class SiteBatchesController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly creations: IdempotencyKeys,
    private readonly backups: AskedBackups,
  ) {}

  @Handles(planSiteBatch)
  async plan({ verb, ids, group_id: groupId }: Input<typeof planSiteBatch>) {
    const { manager } = this.database;
    const grounds = await findGrounds(manager, ids);
    return { items: await planOf(manager, verb, [...grounds.values()], groupId) };
  }

  @Handles(backupSites)
  async backup(input: Input<typeof backupSites>) {
    return this.backups.create(backupSites, input, async (manager) => {
      const grounds = await holdGrounds(manager, input.ids);
      return [...grounds.values()];
    });
  }

  @Handles(groupSites)
  async group(input: Input<typeof groupSites>) {
    return this.database.transaction(async (manager) => {
      const count = new Set(input.ids).size;
      const known = await this.creations.claim(manager, groupSites, input, uuid());
      if (known === undefined) await moveSites(manager, input);
      return { count };
    });
  }

  @Handles(deleteSites)
  async delete(input: Input<typeof deleteSites>) {
    const ids = [...new Set(input.ids)];
    await this.database.transaction(async (manager) => {
      const known = await this.creations.claim(manager, deleteSites, input, uuid());
      if (known !== undefined) return;
      const grounds = await holdGrounds(manager, ids);
      await removeSites(
        manager,
        [...grounds.values()].map(({ site }) => site),
      );
    });
    this.bus.publish(serversChanged, { ids });
    this.bus.publish(sitesOutboxWritten, {});
    return { count: ids.length };
  }
}
