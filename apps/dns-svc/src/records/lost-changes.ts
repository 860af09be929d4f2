import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Intent } from '../intents/intent.entity';
import { Intents } from '../intents/intents';
import type { HeldRecord } from '../providers/provider';
import { Providers } from '../providers/providers';
import type { Reached } from '../zones/zone-access';
import { effectOf } from './effects';
import { Notes } from './notes';
import type { Planned } from './plan';
import { DnsSnapshot } from './snapshot.entity';
import { latestSnapshot, placeOf, recordsOf } from './snapshots';
import { type Outcome, stateAfter } from './write-all';

/** Changes that were sent, and that nobody lived to note: what came of them is looked up. */
@Injectable()
export class LostChanges {
  constructor(
    private readonly database: DataSource,
    private readonly intents: Intents,
    private readonly notes: Notes,
    private readonly providers: Providers,
  ) {}

  hasAny(reached: Reached): Promise<boolean> {
    return this.intents.hasAny(placeOf(reached));
  }

  /** For whoever has the turn of the zone: nobody is sending any of it. */
  async settle(reached: Reached, isUnasked = false): Promise<void> {
    const { config, zone } = reached;
    const use = { fallback: 'Failed to load records', isUnasked };
    const records = await this.providers.use(config, use, (provider) => provider.records(zone.id));
    for (const intent of await this.intents.ofZone(placeOf(reached))) await this.settleOne(reached, intent, records);
  }

  private async settleOne(reached: Reached, intent: Intent, records: readonly HeldRecord[]): Promise<void> {
    const { manager } = this.database;
    const { id, reason, beforeId, planned, actor, claim, at } = intent;
    const isKept = beforeId !== null && (await manager.existsBy(DnsSnapshot, { id: beforeId }));
    const before = isKept ? await recordsOf(manager, beforeId) : [];
    const latest = await latestSnapshot(manager, placeOf(reached));
    const outcomes = outcomesOf(planned, records, before);
    const after = stateAfter(latest ? await recordsOf(manager, latest.id) : before, outcomes);
    await this.notes.write(reached, {
      intent: id,
      reason: reason ?? 'write',
      actor,
      at,
      claim,
      outcomes,
      after,
      isLost: true,
    });
  }
}

/** Each by what is there now; a record is the effect of one of them. */
function outcomesOf(
  planned: readonly Planned[],
  records: readonly HeldRecord[],
  before: readonly HeldRecord[],
): Outcome[] {
  const known = new Set(before.map(({ id }) => id));
  return planned.map((each): Outcome => {
    const effect = each.write ? effectOf(each.write, records, known) : undefined;
    if (effect === undefined) return { planned: each, state: 'waiting', record: null, error: null };
    if (effect) known.add(effect.id);
    return { planned: each, state: 'done', record: effect, error: null };
  });
}
