import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PendingWrites } from '../pending-writes/pending-writes';
import type { ProviderRecord } from '../providers/provider';
import { Providers } from '../providers/providers';
import { UnconfirmedChanges } from '../records/unconfirmed-changes';
import type { ZoneContext } from '../zones/zone-access';
import { ZoneLock } from '../zones/zone-lock';
import { lockHistory, saveSnapshot, latestSnapshot, recordRead, zoneKeyOf, type ZoneKey } from './snapshots';

const fallback = 'Failed to load records';

/**
 * Reads the records of zones, settles pending writes first, and saves a snapshot when something changed outside Vigie.
 */
@Injectable()
export class ZoneStates {
  constructor(
    private readonly database: DataSource,
    private readonly pendingWrites: PendingWrites,
    private readonly unconfirmed: UnconfirmedChanges,
    private readonly providers: Providers,
    private readonly zoneLock: ZoneLock,
  ) {}

  /** Reads the current records. A state that was read during a write is half a change, and is not saved. */
  async readRecords(context: ZoneContext, isBackground = false): Promise<ProviderRecord[]> {
    const key = zoneKeyOf(context);
    if (await this.pendingWrites.existsForZone(key.zoneId)) {
      const settled = await this.zoneLock.runIfFree(key.zoneId, () => this.readBeforeWrite(context, isBackground));
      if (settled) return settled.records;
    }
    const before = await this.latestId(key);
    const isLocked = await this.zoneLock.isLocked(this.database.manager, key.zoneId);
    const records = await this.fetchRecords(context, isBackground);
    await this.database.transaction(async (manager) => {
      await lockHistory(manager, key);
      const latest = await latestSnapshot(manager, key);
      if (isLocked || (latest?.id ?? null) !== before || (await this.zoneLock.isLocked(manager, key.zoneId))) return;
      await saveSnapshot(manager, key, { reason: 'look', records });
      await recordRead(manager, key);
    });
    return records;
  }

  /** Reads the current records before a write, under the zone’s lock; also returns the id of their snapshot. */
  async readBeforeWrite(
    context: ZoneContext,
    isBackground = false,
  ): Promise<{ id: string; records: ProviderRecord[] }> {
    const key = zoneKeyOf(context);
    const records = await this.fetchRecords(context, isBackground);
    await this.unconfirmed.settle(key.zoneId, records);
    const { id } = await this.database.transaction(async (manager) => {
      await lockHistory(manager, key);
      await recordRead(manager, key);
      return saveSnapshot(manager, key, { reason: 'look', records });
    });
    return { id, records };
  }

  private fetchRecords({ config, zone }: ZoneContext, isBackground = false): Promise<ProviderRecord[]> {
    return this.providers.use(config, { fallback, isBackground }, (provider) => provider.records(zone.id));
  }

  private async latestId(key: ZoneKey): Promise<string | null> {
    return (await latestSnapshot(this.database.manager, key))?.id ?? null;
  }
}
