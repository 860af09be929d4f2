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

  /**
   * Reads the zone in the background and settles its pending writes. The zone’s row may be deleted, so the provider
   * decides whether it exists.
   */
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

  /**
   * Compares pending writes with the current records. The caller holds the zone’s lock, so none is still being sent.
   * Each is recorded for its own configuration.
   */
  async settle(zoneId: string, records: readonly ProviderRecord[]): Promise<void> {
    for (const pendingWrite of await this.pendingWrites.findByZone(zoneId)) {
      const config = await this.configOf(pendingWrite);
      if (config) await this.settleOne(config, pendingWrite, records);
    }
  }

  private async settleOne(
    config: DnsConfig,
    pendingWrite: PendingWrite,
    records: readonly ProviderRecord[],
  ): Promise<void> {
    const { manager } = this.database;
    const { zoneId, beforeId } = pendingWrite;
    if (zoneId === null) return;
    const hasSnapshot = beforeId !== null && (await manager.existsBy(DnsSnapshot, { id: beforeId }));
    const before = hasSnapshot ? await recordsOf(manager, beforeId) : [];
    // Ids that other writes created since cannot be the effect of this one.
    const createdByOthers = await this.pendingWrites.othersCreated(pendingWrite.id);
    const outcomes = outcomesOf(pendingWrite, records, [...before.map(({ id }) => id), ...createdByOthers]);
    if (outcomes.every(({ state }) => state === 'unknown')) return;
    const latest = await latestSnapshot(manager, { configId: config.id, zoneId });
    const after = stateAfter(latest ? await recordsOf(manager, latest.id) : before, outcomes);
    await this.record(config, pendingWrite, outcomes, after);
  }

  /** The outcome of writes in a deleted zone can no longer be verified. */
  private async giveUp(config: DnsConfig, { id: zoneId }: { id: string }): Promise<void> {
    const { manager } = this.database;
    for (const pendingWrite of await this.pendingWrites.findByZone(zoneId)) {
      if (pendingWrite.configId !== config.id || mayStillApply(pendingWrite)) continue;
      const latest = await latestSnapshot(manager, { configId: config.id, zoneId });
      const outcomes = pendingWrite.planned.map((planned) => outcomeOf(planned, 'waiting'));
      await this.record(config, pendingWrite, outcomes, latest ? await recordsOf(manager, latest.id) : []);
    }
  }

  private async record(
    config: DnsConfig,
    pendingWrite: PendingWrite,
    outcomes: Outcome[],
    after: ProviderRecord[],
  ): Promise<void> {
    const { id, zoneId, zoneName, reason, actor, claim, at } = pendingWrite;
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

/**
 * Finds each change’s effect; a record is the effect of one change only. A young write without effect may still be
 * applied.
 */
function outcomesOf(
  pendingWrite: PendingWrite,
  records: readonly ProviderRecord[],
  idsBefore: readonly string[],
): Outcome[] {
  const knownIds = new Set(idsBefore);
  return pendingWrite.planned.map((each): Outcome => {
    const effect = each.write ? findEffect(each.write, records, knownIds) : undefined;
    if (effect === undefined) return outcomeOf(each, mayStillApply(pendingWrite) ? 'unknown' : 'waiting');
    if (effect) knownIds.add(effect.id);
    return { planned: each, state: 'done', record: effect, error: null };
  });
}
