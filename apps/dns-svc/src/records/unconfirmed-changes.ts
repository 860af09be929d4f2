import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { DataSource } from 'typeorm';
import { DnsConfig } from '../config/config.entity';
import { DnsSnapshot } from '../history/snapshot.entity';
import { latestSnapshot, recordsOf } from '../history/snapshots';
import { type PendingWrite, mayStillApply } from '../pending-writes/pending-write.entity';
import { PendingWrites } from '../pending-writes/pending-writes';
import { ProviderFailure } from '../providers/failures';
import type { ProviderRecord } from '../providers/provider';
import { Providers } from '../providers/providers';
import { findEffect } from './effects';
import { OutcomeRecorder } from './outcome-recorder';
import type { PlannedChange } from './plan';
import { type Outcome, stateAfter } from './change-writer';

/** Finds out the outcome of writes whose process died or got no answer, and records it. */
@Injectable()
export class UnconfirmedChanges {
  constructor(
    private readonly database: DataSource,
    private readonly pendingWrites: PendingWrites,
    private readonly recorder: OutcomeRecorder,
    private readonly providers: Providers,
  ) {}

  /** Reads the zone and settles its pending writes. The provider decides whether the zone still exists. */
  async verifyZone(config: DnsConfig, zone: { id: string; name: string }): Promise<void> {
    const options = { fallback: 'Failed to load records', isBackground: true };
    const reading = this.providers.use(config, options, (provider) =>
      provider.records(zone.id).catch(async (error: unknown) => {
        // Cloudflare answers “forbidden” for a deleted zone.
        if (error instanceof ProviderFailure && error.kind === 'permission') await provider.zone(zone.id);
        throw error;
      }),
    );
    const records = await reading.catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    });
    if (records) await this.settle(zone.id, records);
    else await this.giveUp(config, zone);
  }

  /** Settles pending writes by the current records. The caller holds the zone’s lock, so none is being sent. */
  async settle(zoneId: string, records: readonly ProviderRecord[]): Promise<void> {
    for (const write of await this.pendingWrites.findByZone(zoneId)) {
      const config = await this.configOf(write);
      if (config) await this.settleOne(config, write, records);
    }
  }

  private async settleOne(config: DnsConfig, write: PendingWrite, records: readonly ProviderRecord[]): Promise<void> {
    const { manager } = this.database;
    const { zoneId, beforeId } = write;
    if (zoneId === null) return;
    const hasSnapshot = beforeId !== null && (await manager.existsBy(DnsSnapshot, { id: beforeId }));
    const before = hasSnapshot ? await recordsOf(manager, beforeId) : [];
    // Ids that other writes created since cannot be the effect of this one.
    const createdByOthers = await this.pendingWrites.othersCreated(write.id);
    const outcomes = outcomesOf(write, records, [...before.map(({ id }) => id), ...createdByOthers]);
    if (outcomes.every(({ state }) => state === 'unknown')) return;
    const latest = await latestSnapshot(manager, { configId: config.id, zoneId });
    const after = stateAfter(latest ? await recordsOf(manager, latest.id) : before, outcomes);
    await this.record(config, write, outcomes, after);
  }

  /** The outcome of writes in a deleted zone can no longer be verified. */
  private async giveUp(config: DnsConfig, { id: zoneId }: { id: string }): Promise<void> {
    const { manager } = this.database;
    for (const write of await this.pendingWrites.findByZone(zoneId)) {
      if (write.configId !== config.id || mayStillApply(write)) continue;
      const latest = await latestSnapshot(manager, { configId: config.id, zoneId });
      const outcomes = write.planned.map((planned) => outcomeOf(planned, 'waiting'));
      await this.record(config, write, outcomes, latest ? await recordsOf(manager, latest.id) : []);
    }
  }

  private async record(
    config: DnsConfig,
    write: PendingWrite,
    outcomes: Outcome[],
    after: ProviderRecord[],
  ): Promise<void> {
    const { id, zoneId, zoneName, reason, actor, claim, at } = write;
    if (zoneId === null) return;
    const context = { config, zone: { id: zoneId, name: zoneName } };
    const pending = { pendingId: id, reason: reason ?? 'write', actor, at, claim } as const;
    await this.recorder.record(context, { ...pending, outcomes, after, isVerifiedLater: true });
  }

  private configOf({ configId }: PendingWrite): Promise<DnsConfig | null> {
    return this.database.manager.findOneBy(DnsConfig, { id: configId });
  }
}

const outcomeOf = (planned: PlannedChange, state: 'waiting' | 'unknown'): Outcome => ({
  planned,
  state,
  record: null,
  error: null,
});

/** Finds each change’s effect, a record being that of one change only. A young write may still be applied. */
function outcomesOf(write: PendingWrite, records: readonly ProviderRecord[], idsBefore: readonly string[]): Outcome[] {
  const knownIds = new Set(idsBefore);
  return write.planned.map((each): Outcome => {
    const effect = each.write ? findEffect(each.write, records, knownIds) : undefined;
    if (effect === undefined) return outcomeOf(each, mayStillApply(write) ? 'unknown' : 'waiting');
    if (effect) knownIds.add(effect.id);
    return { planned: each, state: 'done', record: effect, error: null };
  });
}
