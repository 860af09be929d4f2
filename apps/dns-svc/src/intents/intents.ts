import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { currentActor } from '../doings';
import type { Planned } from '../records/plan';
import { Intent } from './intent.entity';

type Opened = Pick<Intent, 'configId' | 'zoneId' | 'zoneName'> &
  Partial<Pick<Intent, 'reason' | 'beforeId' | 'planned' | 'claim'>>;

/** What was begun at a provider, and is not noted yet. */
@Injectable()
export class Intents {
  constructor(private readonly database: DataSource) {}

  /** Committed before the first call leaves. */
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

  /** Of all configurations that hold it. */
  ofZone(zoneId: string): Promise<Intent[]> {
    return this.database.manager.find(Intent, { where: { zoneId }, order: { id: 'asc' } });
  }

  async hasAny(zoneId: string): Promise<boolean> {
    return this.database.manager.existsBy(Intent, { zoneId });
  }

  async knownTo(id: string): Promise<string[]> {
    return (await this.database.manager.findOneBy(Intent, { id }))?.known ?? [];
  }

  /** These were noted as made: whatever else is still open there did not make them. */
  async tellMade(manager: EntityManager, zone: Pick<Intent, 'zoneId' | 'zoneName'>, ids: readonly string[]) {
    if (ids.length === 0) return;
    await manager.query(
      // What makes nothing itself cannot be taken for what made these.
      `update intents set known = known || $3::jsonb where zone_id is not distinct from $1 and zone_name = $2
         and (zone_id is null or planned @> '[{"write": {"action": "create"}}]')`,
      [zone.zoneId, zone.zoneName, JSON.stringify(ids)],
    );
  }

  /** Nothing came of it. */
  async drop(id: string): Promise<void> {
    await this.close(this.database.manager, id);
  }

  /**
   * In the transaction that notes what came of it; false where somebody else has noted it meanwhile. What nobody knows
   * yet stays open.
   */
  async close(manager: EntityManager, id: string, unknown: readonly Planned[] = []): Promise<boolean> {
    const { affected } =
      unknown.length > 0
        ? await manager.update(Intent, { id }, { planned: [...unknown] as object[] })
        : await manager.delete(Intent, { id });
    return Number(affected) > 0;
  }
}
