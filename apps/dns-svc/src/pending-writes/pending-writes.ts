import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { currentActor } from '../audit-events';
import type { PlannedChange } from '../records/plan';
import { PendingWrite } from './pending-write.entity';

type NewPendingWrite = Pick<PendingWrite, 'configId' | 'zoneId' | 'zoneName'> &
  Partial<Pick<PendingWrite, 'reason' | 'beforeId' | 'planned' | 'claim'>>;

@Injectable()
export class PendingWrites {
  constructor(private readonly database: DataSource) {}

  /** Commits the row before the first call to the provider. */
  async add(write: NewPendingWrite): Promise<string> {
    const id = uuid();
    const defaults = {
      reason: null,
      beforeId: null,
      planned: [],
      claim: null,
      othersCreated: [],
      actor: currentActor(),
      at: new Date(),
    };
    await this.database.manager.insert(PendingWrite, { ...defaults, ...write, id });
    return id;
  }

  findByZone(zoneId: string): Promise<PendingWrite[]> {
    return this.database.manager.find(PendingWrite, { where: { zoneId }, order: { id: 'asc' } });
  }

  async existsForZone(zoneId: string): Promise<boolean> {
    return this.database.manager.existsBy(PendingWrite, { zoneId });
  }

  async othersCreated(id: string): Promise<string[]> {
    return (await this.database.manager.findOneBy(PendingWrite, { id }))?.othersCreated ?? [];
  }

  /** Tells other pending writes of the zone that these ids were created by somebody else. */
  async recordCreated(manager: EntityManager, zone: Pick<PendingWrite, 'zoneId' | 'zoneName'>, ids: readonly string[]) {
    if (ids.length === 0) return;
    await manager.query(
      // Only a pending creation could mistake them for its own.
      `update intents set known = known || $3::jsonb where zone_id is not distinct from $1 and zone_name = $2
         and (zone_id is null or planned @> '[{"write": {"action": "create"}}]')`,
      [zone.zoneId, zone.zoneName, JSON.stringify(ids)],
    );
  }

  async discard(id: string): Promise<void> {
    await this.close(this.database.manager, id);
  }

  /**
   * Deletes the row, in the transaction that records the outcome; returns false when another replica recorded it
   * already. Changes with an unknown outcome stay pending.
   */
  async close(manager: EntityManager, id: string, stillUnknown: readonly PlannedChange[] = []): Promise<boolean> {
    const { affected } =
      stillUnknown.length > 0
        ? await manager.update(PendingWrite, { id }, { planned: [...stillUnknown] as object[] })
        : await manager.delete(PendingWrite, { id });
    return Number(affected) > 0;
  }
}
