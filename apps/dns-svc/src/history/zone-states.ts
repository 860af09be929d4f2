import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Intents } from '../intents/intents';
import type { HeldRecord } from '../providers/provider';
import { Providers } from '../providers/providers';
import { LostChanges } from '../records/lost-changes';
import type { Reached } from '../zones/zone-access';
import { ZoneTurns } from '../zones/zone-turns';
import { holdHistory, keepSnapshot, latestSnapshot, noteLook, placeOf, type ZonePlace } from './snapshots';

const fallback = 'Failed to load records';

/**
 * Reads the records of zones, settles pending writes first, and saves a snapshot when something changed outside Vigie.
 */
@Injectable()
export class ZoneStates {
  constructor(
    private readonly database: DataSource,
    private readonly intents: Intents,
    private readonly lost: LostChanges,
    private readonly providers: Providers,
    private readonly turns: ZoneTurns,
  ) {}

  /** Reads the current records. A state that was read during a write is half a change, and is not saved. */
  async look(reached: Reached, isUnasked = false): Promise<HeldRecord[]> {
    const place = placeOf(reached);
    if (await this.intents.hasAny(place.zoneId)) {
      const settled = await this.turns.ifFree(place.zoneId, () => this.lookBefore(reached, isUnasked));
      if (settled) return settled.records;
    }
    const before = await this.latestId(place);
    const isTaken = await this.turns.isTaken(this.database.manager, place.zoneId);
    const records = await this.read(reached, isUnasked);
    await this.database.transaction(async (manager) => {
      await holdHistory(manager, place);
      const latest = await latestSnapshot(manager, place);
      if (isTaken || (latest?.id ?? null) !== before || (await this.turns.isTaken(manager, place.zoneId))) return;
      await keepSnapshot(manager, place, { reason: 'look', records });
      await noteLook(manager, place);
    });
    return records;
  }

  /** Reads the current records before a write, under the zone’s lock; also returns the id of their snapshot. */
  async lookBefore(reached: Reached, isUnasked = false): Promise<{ id: string; records: HeldRecord[] }> {
    const place = placeOf(reached);
    const records = await this.read(reached, isUnasked);
    await this.lost.settle(place.zoneId, records);
    const { id } = await this.database.transaction(async (manager) => {
      await holdHistory(manager, place);
      await noteLook(manager, place);
      return keepSnapshot(manager, place, { reason: 'look', records });
    });
    return { id, records };
  }

  private read({ config, zone }: Reached, isUnasked = false): Promise<HeldRecord[]> {
    return this.providers.use(config, { fallback, isUnasked }, (provider) => provider.records(zone.id));
  }

  private async latestId(place: ZonePlace): Promise<string | null> {
    return (await latestSnapshot(this.database.manager, place))?.id ?? null;
  }
}
