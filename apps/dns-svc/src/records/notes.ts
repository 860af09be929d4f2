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
  /** Null where nothing was sent. */
  intent: string | null;
  reason: SnapshotReason;
  actor: Actor;
  at: Date;
  claim: Claim | null;
  /** Looked for afterwards: what is `waiting` was never done. */
  isLost?: boolean;
  outcomes: readonly Outcome[];
  /** The zone as these outcomes left it. */
  after: readonly HeldRecord[];
};

/** Writes down what became of changes: the state of the zone, the feed, the audit, and the key they were asked under. */
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
      // Whoever took over from somebody who was taken for dead has noted it.
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

  /** Whoever else has this zone would take it for a change outside of Vigie. What they have not seen yet stays unseen. */
  private async tellOther(manager: EntityManager, place: ZonePlace, { reason, actor, outcomes }: Note): Promise<void> {
    const latest = await latestSnapshot(manager, place);
    if (!latest) return;
    const records = stateAfter(await recordsOf(manager, latest.id), outcomes);
    await keepSnapshot(manager, place, { reason, records, actor });
  }
}

/** What the key of a request stands for from now on: the record that it made, or the state that many changes left. */
function madeIdOf({ reason, outcomes }: Note, left: string): string | undefined {
  if (reason === 'bulk') return outcomes.some(hasEffect) ? left : undefined;
  const record = outcomes[0]?.record;
  return record ? toUuid(record.id) : undefined;
}
