import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { DataSource } from 'typeorm';
import { DnsConfig } from '../config/config.entity';
import { DnsSnapshot } from '../history/snapshot.entity';
import { latestSnapshot, recordsOf } from '../history/snapshots';
import { type Intent, isYoung } from '../intents/intent.entity';
import { Intents } from '../intents/intents';
import { ProviderFailure } from '../providers/failures';
import type { HeldRecord } from '../providers/provider';
import { Providers } from '../providers/providers';
import { effectOf } from './effects';
import { Notes } from './notes';
import type { Planned } from './plan';
import { type Outcome, stateAfter } from './write-all';

/** Finds out the outcome of writes whose process died or got no answer, and records it. */
@Injectable()
export class LostChanges {
  constructor(
    private readonly database: DataSource,
    private readonly intents: Intents,
    private readonly notes: Notes,
    private readonly providers: Providers,
  ) {}

  /**
   * Reads the zone in the background and settles its pending writes. The zone’s row may be deleted, so the provider
   * decides whether it exists.
   */
  async lookUp(config: DnsConfig, zone: { id: string; name: string }): Promise<void> {
    const use = { fallback: 'Failed to load records', isUnasked: true };
    const read = this.providers.use(config, use, (provider) =>
      provider.records(zone.id).catch(async (error: unknown) => {
        // Cloudflare answers “forbidden” for a deleted zone.
        if (error instanceof ProviderFailure && error.kind === 'permission') await provider.zone(zone.id);
        throw error;
      }),
    );
    const records = await read.catch((error: unknown) => {
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
  async settle(zoneId: string, records: readonly HeldRecord[]): Promise<void> {
    for (const intent of await this.intents.ofZone(zoneId)) {
      const config = await this.configOf(intent);
      if (config) await this.settleOne(config, intent, records);
    }
  }

  private async settleOne(config: DnsConfig, intent: Intent, records: readonly HeldRecord[]): Promise<void> {
    const { manager } = this.database;
    const { zoneId, beforeId } = intent;
    if (zoneId === null) return;
    const isKept = beforeId !== null && (await manager.existsBy(DnsSnapshot, { id: beforeId }));
    const before = isKept ? await recordsOf(manager, beforeId) : [];
    // Ids that other writes created since cannot be the effect of this one.
    const known = await this.intents.knownTo(intent.id);
    const outcomes = outcomesOf(intent, records, [...before.map(({ id }) => id), ...known]);
    if (outcomes.every(({ state }) => state === 'unknown')) return;
    const latest = await latestSnapshot(manager, { configId: config.id, zoneId });
    const after = stateAfter(latest ? await recordsOf(manager, latest.id) : before, outcomes);
    await this.note(config, intent, outcomes, after);
  }

  /** The outcome of writes in a deleted zone can no longer be verified. */
  private async giveUp(config: DnsConfig, { id: zoneId }: { id: string }): Promise<void> {
    const { manager } = this.database;
    for (const intent of await this.intents.ofZone(zoneId)) {
      if (intent.configId !== config.id || isYoung(intent)) continue;
      const latest = await latestSnapshot(manager, { configId: config.id, zoneId });
      const undone = intent.planned.map((planned) => ended(planned, 'waiting'));
      await this.note(config, intent, undone, latest ? await recordsOf(manager, latest.id) : []);
    }
  }

  private async note(config: DnsConfig, intent: Intent, outcomes: Outcome[], after: HeldRecord[]): Promise<void> {
    const { id, zoneId, zoneName, reason, actor, claim, at } = intent;
    if (zoneId === null) return;
    const reached = { config, zone: { id: zoneId, name: zoneName } };
    const said = { intent: id, reason: reason ?? 'write', actor, at, claim } as const;
    await this.notes.write(reached, { ...said, outcomes, after, isLost: true });
  }

  private configOf({ configId }: Intent): Promise<DnsConfig | null> {
    return this.database.manager.findOneBy(DnsConfig, { id: configId });
  }
}

const ended = (planned: Planned, state: 'waiting' | 'unknown'): Outcome => ({
  planned,
  state,
  record: null,
  error: null,
});

/**
 * Finds each change’s effect; a record is the effect of one change only. A young write without effect may still be
 * applied.
 */
function outcomesOf(intent: Intent, records: readonly HeldRecord[], knownIds: readonly string[]): Outcome[] {
  const known = new Set(knownIds);
  return intent.planned.map((each): Outcome => {
    const effect = each.write ? effectOf(each.write, records, known) : undefined;
    if (effect === undefined) return ended(each, isYoung(intent) ? 'unknown' : 'waiting');
    if (effect) known.add(effect.id);
    return { planned: each, state: 'done', record: effect, error: null };
  });
}
