import { Injectable } from '@nestjs/common';
import { type Claim, IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../audit-events';
import type { SnapshotReason } from '../history/snapshot.entity';
import {
  lockHistories,
  saveSnapshot,
  latestSnapshot,
  otherConfigsOf,
  zoneKeyOf,
  recordsOf,
  type ZoneKey,
} from '../history/snapshots';
import { PendingWrites } from '../pending-writes/pending-writes';
import { toUuid } from '../providers/ids';
import type { ProviderRecord } from '../providers/provider';
import type { ZoneTarget } from '../zones/zone-access';
import { auditUndone, recordChanges } from './record-audit-events';
import { hasEffect, type Outcome, stateAfter } from './change-writer';

type AppliedChanges = {
  /** Null when nothing was sent. */
  pendingId: string | null;
  reason: SnapshotReason;
  actor: Actor;
  at: Date;
  claim: Claim | null;
  /** Whether the outcomes were verified later: `waiting` then means never applied. */
  isVerifiedLater?: boolean;
  outcomes: readonly Outcome[];
  after: readonly ProviderRecord[];
};

@Injectable()
export class OutcomeRecorder {
  constructor(
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly transactions: AuditedTransactions,
    private readonly pendingWrites: PendingWrites,
  ) {}

  async record(context: ZoneTarget, changes: AppliedChanges): Promise<void> {
    const { pendingId, reason, actor, claim, outcomes, after } = changes;
    const key = zoneKeyOf(context);
    await this.transactions.write(async (transaction) => {
      const { manager } = transaction;
      const others = await otherConfigsOf(manager, key);
      await lockHistories(manager, [key, ...others]);
      const stillUnknown = outcomes.flatMap(({ state, planned }) => (state === 'unknown' ? [planned] : []));
      // Another replica that took over may have recorded the outcome already.
      if (pendingId !== null && !(await this.pendingWrites.close(manager, pendingId, stillUnknown))) return;
      const { id: snapshotId } = await saveSnapshot(manager, key, { reason, records: after, actor });
      for (const other of others) await this.recordForOther(manager, other, changes);
      await recordChanges(transaction, context, changes);
      if (changes.isVerifiedLater) await auditUndone(transaction, context, changes);
      const createdIds = outcomes.flatMap(({ state, record }) => (state === 'done' && record ? [record.id] : []));
      await this.pendingWrites.recordCreated(manager, { zoneId: key.zoneId, zoneName: context.zone.name }, createdIds);
      const resultId = resultIdOf(changes, snapshotId);
      if (claim && resultId !== undefined) await this.idempotencyKeys.save(manager, claim, resultId);
    });
  }

  /** Adds the changes to another configuration’s history, which would report them as drift. Earlier drift stays. */
  private async recordForOther(
    manager: EntityManager,
    key: ZoneKey,
    { reason, actor, outcomes }: AppliedChanges,
  ): Promise<void> {
    const latest = await latestSnapshot(manager, key);
    if (!latest) return;
    const records = stateAfter(await recordsOf(manager, latest.id), outcomes);
    await saveSnapshot(manager, key, { reason, records, actor });
  }
}

/** The id that a repeated request is answered with: the created record, or the snapshot after a bulk change. */
function resultIdOf({ reason, outcomes }: AppliedChanges, snapshotId: string): string | undefined {
  if (reason === 'bulk') return outcomes.some(hasEffect) ? snapshotId : undefined;
  const record = outcomes[0]?.record;
  return record ? toUuid(record.id) : undefined;
}
