import type { ActivityType } from '@vigie/contracts/activity';
import type { AuditedTransaction } from '@vigie/service-kit/audited-transactions';
import { type Actor, auditAction, recordAuditEvent } from '../audit-events';
import type { SnapshotReason } from '../history/snapshot.entity';
import type { ZoneTarget } from '../zones/zone-access';
import type { PlannedChange } from './plan';
import type { Outcome } from './change-writer';

const types = {
  create: 'dns_record_create',
  edit: 'dns_record_edit',
  delete: 'dns_record_delete',
} as const satisfies Record<string, ActivityType>;

const actions = ['create', 'edit', 'delete'] as const;

type ChangeEvents = {
  reason: SnapshotReason;
  actor: Actor;
  at: Date;
  outcomes: readonly Outcome[];
};

/** Records one event for a single change, or one per action for many, so that hundreds do not flood the feed. */
export async function recordChanges(
  transaction: AuditedTransaction,
  { config: { ownerId }, zone }: ZoneTarget,
  { reason, outcomes, actor, at }: ChangeEvents,
): Promise<void> {
  const applied = outcomes.filter(({ state, planned }) => state === 'done' && planned.write);
  for (const action of actions) {
    const line = summarise(action, applied, zone, reason);
    if (line) await recordAuditEvent(transaction, { ...line, type: types[action], ownerId, actor, at });
  }
}

/** Audits as refused the unanswered changes that were not applied. */
export async function auditUndone(
  transaction: AuditedTransaction,
  { zone }: ZoneTarget,
  { reason, outcomes, actor }: ChangeEvents,
): Promise<void> {
  const undone = outcomes.filter(({ state }) => state === 'waiting');
  for (const action of actions) {
    const line = summarise(action, undone, zone, reason);
    if (line) await auditAction(transaction, { ...line, action: types[action], actor, result: 'refused' });
  }
}

type Unverified = Pick<ChangeEvents, 'reason' | 'actor'> & { planned: readonly PlannedChange[] };

export async function auditUnverified(
  audit: Pick<AuditedTransaction, 'audit'>,
  zone: Zone,
  { reason, planned, actor }: Unverified,
): Promise<void> {
  const all = planned.map((each) => ({ planned: each, record: null }));
  for (const action of actions) {
    const line = summarise(action, all, zone, reason);
    if (!line) continue;
    const details = { ...line.details, unverified: true };
    await auditAction(audit, { ...line, details, action: types[action], actor, result: 'refused' });
  }
}

type Change = Pick<Outcome, 'planned' | 'record'>;

function summarise(action: (typeof actions)[number], all: readonly Change[], zone: Zone, reason: SnapshotReason) {
  const matching = all.filter(({ planned }) => planned.write?.action === action);
  const [first] = matching;
  const extra = reason === 'write' ? {} : { reason };
  if (!first) return undefined;
  if (matching.length > 1) {
    return { target: zone.name, targetId: zone.id, details: { zone: zone.name, count: matching.length, ...extra } };
  }
  return { ...describe(first, zone), details: { ...detailsOf(first, zone), ...extra } };
}

type Zone = ZoneTarget['zone'];

function describe({ planned, record }: Change, zone: Zone) {
  const { before, after, record_id: id } = planned.difference;
  return { target: (after ?? before)?.name ?? zone.name, targetId: record?.id ?? id ?? zone.id };
}

function detailsOf({ planned: { difference } }: Change, zone: Zone): Record<string, unknown> {
  const { before, after } = difference;
  const type = (after ?? before)?.type;
  return {
    zone: zone.name,
    record_type: type,
    ...(before && { from: before.content }),
    ...(after && { to: after.content }),
  };
}
