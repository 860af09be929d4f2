import type { ActivityType } from '@vigie/contracts/activity';
import type { AuditedTransaction } from '@vigie/service-kit/audited-transactions';
import { type Actor, auditDoing, recordDoing } from '../doings';
import type { SnapshotReason } from '../history/snapshot.entity';
import type { Named } from '../zones/zone-access';
import type { Planned } from './plan';
import type { Outcome } from './write-all';

const types = {
  create: 'dns_record_create',
  edit: 'dns_record_edit',
  delete: 'dns_record_delete',
} as const satisfies Record<string, ActivityType>;

const actions = ['create', 'edit', 'delete'] as const;

type Told = {
  reason: SnapshotReason;
  actor: Actor;
  at: Date;
  outcomes: readonly Outcome[];
};

/** Records one event for a single change, or one per action for many, so that hundreds do not flood the feed. */
export async function recordChanges(
  chapter: AuditedTransaction,
  { config: { ownerId }, zone }: Named,
  { reason, outcomes, actor, at }: Told,
): Promise<void> {
  const done = outcomes.filter(({ state, planned }) => state === 'done' && planned.write);
  for (const action of actions) {
    const line = summarise(action, done, zone, reason);
    if (line) await recordDoing(chapter, { ...line, type: types[action], ownerId, actor, at });
  }
}

/** Audits as refused the unanswered changes that were not applied. */
export async function auditUndone(
  chapter: AuditedTransaction,
  { zone }: Named,
  { reason, outcomes, actor }: Told,
): Promise<void> {
  const undone = outcomes.filter(({ state }) => state === 'waiting');
  for (const action of actions) {
    const line = summarise(action, undone, zone, reason);
    if (line) await auditDoing(chapter, { ...line, action: types[action], actor, result: 'refused' });
  }
}

type Unverified = Pick<Told, 'reason' | 'actor'> & { planned: readonly Planned[] };

/** Audits the changes that could not be verified. */
export async function auditUnverified(
  audited: Pick<AuditedTransaction, 'audit'>,
  zone: Zone,
  { reason, planned, actor }: Unverified,
): Promise<void> {
  const all = planned.map((each) => ({ planned: each, record: null }));
  for (const action of actions) {
    const line = summarise(action, all, zone, reason);
    if (!line) continue;
    const details = { ...line.details, unverified: true };
    await auditDoing(audited, { ...line, details, action: types[action], actor, result: 'refused' });
  }
}

type Summed = Pick<Outcome, 'planned' | 'record'>;

function summarise(action: (typeof actions)[number], all: readonly Summed[], zone: Zone, reason: SnapshotReason) {
  const of = all.filter(({ planned }) => planned.write?.action === action);
  const [first] = of;
  const how = reason === 'write' ? {} : { reason };
  if (!first) return undefined;
  if (of.length > 1) {
    return { target: zone.name, targetId: zone.id, details: { zone: zone.name, count: of.length, ...how } };
  }
  return { ...describe(first, zone), details: { ...detailsOf(first, zone), ...how } };
}

type Zone = Named['zone'];

function describe({ planned, record }: Summed, zone: Zone) {
  const { before, after, record_id: id } = planned.difference;
  return { target: (after ?? before)?.name ?? zone.name, targetId: record?.id ?? id ?? zone.id };
}

function detailsOf({ planned: { difference } }: Summed, zone: Zone): Record<string, unknown> {
  const { before, after } = difference;
  const type = (after ?? before)?.type;
  return {
    zone: zone.name,
    record_type: type,
    ...(before && { from: before.content }),
    ...(after && { to: after.content }),
  };
}
