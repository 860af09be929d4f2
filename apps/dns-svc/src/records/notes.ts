import { Injectable } from '@nestjs/common';
import { type Claim, IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../doings';
import type { SnapshotReason } from '../history/snapshot.entity';
import {
  holdHistories,
  keepSnapshot,
  latestSnapshot,
  othersOf,
  placeOf,
  recordsOf,
  type ZonePlace,
} from '../history/snapshots';
import { Intents } from '../intents/intents';
import { toUuid } from '../providers/ids';
import type { HeldRecord } from '../providers/provider';
import type { Named } from '../zones/zone-access';
import { auditUndone, recordChanges } from './record-doings';
import { hasEffect, type Outcome, stateAfter } from './write-all';

type Note = {
  /** Null when nothing was sent. */
  intent: string | null;
  reason: SnapshotReason;
  actor: Actor;
  at: Date;
  claim: Claim | null;
  /** Whether the outcomes were verified later: `waiting` then means never applied. */
  isLost?: boolean;
  outcomes: readonly Outcome[];
  /** The zone’s records after these outcomes. */
  after: readonly HeldRecord[];
};

/** Records the outcomes of changes: snapshot, feed, audit, and idempotency key. */
@Injectable()
export class Notes {
  constructor(
    private readonly creations: IdempotencyKeys,
    private readonly history: AuditedTransactions,
    private readonly intents: Intents,
  ) {}

  async write(reached: Named, note: Note): Promise<void> {
    const { intent, reason, actor, claim, outcomes, after } = note;
    const place = placeOf(reached);
    await this.history.write(async (chapter) => {
      const { manager } = chapter;
      const others = await othersOf(manager, place);
      await holdHistories(manager, [place, ...others]);
      const unknown = outcomes.flatMap(({ state, planned }) => (state === 'unknown' ? [planned] : []));
      // Another replica that took over may have recorded the outcome already.
      if (intent !== null && !(await this.intents.close(manager, intent, unknown))) return;
      const { id: left } = await keepSnapshot(manager, place, { reason, records: after, actor });
      for (const other of others) await this.tellOther(manager, other, note);
      await recordChanges(chapter, reached, note);
      if (note.isLost) await auditUndone(chapter, reached, note);
      const made = outcomes.flatMap(({ state, record }) => (state === 'done' && record ? [record.id] : []));
      await this.intents.tellMade(manager, { zoneId: place.zoneId, zoneName: reached.zone.name }, made);
      const madeId = madeIdOf(note, left);
      if (claim && madeId !== undefined) await this.creations.keep(manager, claim, madeId);
    });
  }

  /**
   * Adds the changes to another configuration’s history, which would otherwise report them as drift. Earlier drift
   * stays visible.
   */
  private async tellOther(manager: EntityManager, place: ZonePlace, { reason, actor, outcomes }: Note): Promise<void> {
    const latest = await latestSnapshot(manager, place);
    if (!latest) return;
    const records = stateAfter(await recordsOf(manager, latest.id), outcomes);
    await keepSnapshot(manager, place, { reason, records, actor });
  }
}

/** The id that a repeated request is answered with: the created record, or the snapshot after a bulk change. */
function madeIdOf({ reason, outcomes }: Note, left: string): string | undefined {
  if (reason === 'bulk') return outcomes.some(hasEffect) ? left : undefined;
  const record = outcomes[0]?.record;
  return record ? toUuid(record.id) : undefined;
}
