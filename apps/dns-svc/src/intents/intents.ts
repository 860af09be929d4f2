import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { currentActor } from '../doings';
import type { Planned } from '../records/plan';
import { Intent } from './intent.entity';

type Opened = Pick<Intent, 'configId' | 'zoneId' | 'zoneName'> &
  Partial<Pick<Intent, 'reason' | 'beforeId' | 'planned' | 'claim'>>;

/** Stores writes whose outcome is not recorded yet. */
@Injectable()
export class Intents {
  constructor(private readonly database: DataSource) {}

  /** Commits the row before the first call to the provider. */
  async open(opened: Opened): Promise<string> {
    const id = uuid();
    const rest = {
      reason: null,
      beforeId: null,
      planned: [],
      claim: null,
      known: [],
      actor: currentActor(),
      at: new Date(),
    };
    await this.database.manager.insert(Intent, { ...rest, ...opened, id });
    return id;
  }

  /** Returns the pending writes of all configurations that have this zone. */
  ofZone(zoneId: string): Promise<Intent[]> {
    return this.database.manager.find(Intent, { where: { zoneId }, order: { id: 'asc' } });
  }

  async hasAny(zoneId: string): Promise<boolean> {
    return this.database.manager.existsBy(Intent, { zoneId });
  }

  async knownTo(id: string): Promise<string[]> {
    return (await this.database.manager.findOneBy(Intent, { id }))?.known ?? [];
  }

  /** Tells other pending writes of the zone that these ids were created by somebody else. */
  async tellMade(manager: EntityManager, zone: Pick<Intent, 'zoneId' | 'zoneName'>, ids: readonly string[]) {
    if (ids.length === 0) return;
    await manager.query(
      // Only a pending creation could mistake them for its own.
      `update intents set known = known || $3::jsonb where zone_id is not distinct from $1 and zone_name = $2
         and (zone_id is null or planned @> '[{"write": {"action": "create"}}]')`,
      [zone.zoneId, zone.zoneName, JSON.stringify(ids)],
    );
  }

  /** Deletes the row of a write that had no effect. */
  async drop(id: string): Promise<void> {
    await this.close(this.database.manager, id);
  }

  /**
   * Deletes the row, in the transaction that records the outcome; returns false when another replica recorded it
   * already. Changes with an unknown outcome stay pending.
   */
  async close(manager: EntityManager, id: string, unknown: readonly Planned[] = []): Promise<boolean> {
    const { affected } =
      unknown.length > 0
        ? await manager.update(Intent, { id }, { planned: [...unknown] as object[] })
        : await manager.delete(Intent, { id });
    return Number(affected) > 0;
  }
}
