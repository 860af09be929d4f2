import { type DnsChange, type DnsDifference, recordFields } from '@vigie/contracts/dns-changes';
import { isRecordType } from '@vigie/contracts/dns-content';
import type { RecordContent } from '@vigie/contracts/dns-records';
import { AppError } from '@vigie/contracts/errors';
import type { ProviderRecord, NewRecord, Write } from '../providers/provider';
import { contentOf, recordKey, versionOf } from './canonical';
import { Neighbours } from './neighbours';
import { applyChanges, recordFromForm } from './record-forms';
import { warningsOf } from './warnings';

/** A change as it would be sent. Pending writes store it as JSON: its keys must not change. */
export type PlannedChange = {
  index: number;
  difference: DnsDifference;
  /** Null when there is nothing to send. */
  write: Write | null;
  before: ProviderRecord | null;
  expected: string | undefined;
  /** Whether another record is the reason of the refusal. */
  isClash?: true;
};

export const recordMissing = 'Cet enregistrement n’existe pas ou n’existe plus.';
const readOnly =
  'Cet enregistrement est géré par Cloudflare, ou d’un type que Vigie ne modifie pas\u00a0: changez-le chez Cloudflare.';

/** Plans changes on the current records, and checks each against all the others. */
export function planChanges(
  records: readonly ProviderRecord[],
  zoneName: string,
  changes: readonly DnsChange[],
): PlannedChange[] {
  const recordsById = new Map(records.map((record) => [record.id, record]));
  const planned = changes.map((change, index) => ({ index, ...planOne(recordsById, zoneName, change) }));
  refuseRepeated(planned);
  refuseClashes(records, planned, zoneName);
  for (const { difference } of planned) difference.warnings.push(...warningsOf(difference, records, zoneName));
  return planned;
}

type Plan = Omit<PlannedChange, 'index'>;
type PlanDraft = Omit<Plan, 'expected'>;

function planOne(recordsById: ReadonlyMap<string, ProviderRecord>, zoneName: string, change: DnsChange): Plan {
  if (change.action === 'create') {
    const record = recordFromForm(change.record, zoneName);
    const difference = differenceOf(null, null, record);
    return { before: null, write: { action: 'create', record }, expected: undefined, difference };
  }
  const before = recordsById.get(change.record_id) ?? null;
  const isStale = change.expected !== undefined && (!before || versionOf(before) !== change.expected);
  const plan = before ? planExisting(before, zoneName, change) : planMissing(change.record_id);
  const { difference } = plan;
  // A repeated change that is already applied causes no conflict.
  const isAlreadyApplied = before !== null && difference.action === 'none' && difference.refusal === null;
  return {
    ...plan,
    expected: change.expected,
    difference: { ...difference, is_conflict: isStale && !isAlreadyApplied },
  };
}

function planExisting(
  before: ProviderRecord,
  zoneName: string,
  change: Exclude<DnsChange, { action: 'create' }>,
): PlanDraft {
  const { id } = before;
  if (!before.editable) return { before, write: null, difference: refused(id, before, readOnly) };
  if (change.action === 'delete') {
    return { before, write: { action: 'delete', id }, difference: differenceOf(id, before, null) };
  }
  try {
    const record = applyChanges(before, change.record, zoneName);
    const difference = differenceOf(id, before, record);
    return { before, write: difference.action === 'none' ? null : { action: 'edit', id, record }, difference };
  } catch (error) {
    if (error instanceof AppError) return { before, write: null, difference: refused(id, before, error.message) };
    throw error;
  }
}

const planMissing = (id: string): PlanDraft => ({
  before: null,
  write: null,
  difference: refused(id, null, recordMissing),
});

const refused = (id: string, before: ProviderRecord | null, refusal: string): DnsDifference => ({
  ...differenceOf(id, before, before),
  refusal,
});

function differenceOf(id: string | null, before: RecordContent | null, after: RecordContent | null): DnsDifference {
  const fields = recordFields.filter((field) => before?.[field] !== after?.[field]);
  const action = fields.length === 0 ? 'none' : before ? (after ? 'edit' : 'delete') : 'create';
  return {
    action,
    record_id: id,
    before: before && contentOf(before),
    after: after && contentOf(after),
    fields,
    warnings: [],
    refusal: null,
    is_conflict: false,
  };
}

function refuse(plan: PlannedChange, sentence: string): void {
  plan.difference.refusal ??= sentence;
  plan.write = null;
}

/** Refuses a second change of the same record, because their order is undefined. */
function refuseRepeated(planned: readonly PlannedChange[]): void {
  const plannedIds = new Set<string>();
  for (const plan of planned) {
    const { record_id: id } = plan.difference;
    if (id !== null && plannedIds.has(id)) refuse(plan, 'Cet enregistrement est déjà changé par une autre ligne.');
    if (id !== null) plannedIds.add(id);
  }
}

/** Refuses what the provider would refuse beside the resulting records. */
function refuseClashes(records: readonly ProviderRecord[], planned: readonly PlannedChange[], zoneName: string): void {
  const touched = new Set(planned.flatMap(({ write }) => (write && write.action !== 'create' ? [write.id] : [])));
  const neighbours = new Neighbours(zoneName);
  for (const record of records) if (!touched.has(record.id)) neighbours.add(record);
  for (const plan of planned) {
    if (!plan.write || plan.write.action === 'delete') continue;
    const { record } = plan.write;
    const sentence = neighbours.clashWith(record);
    if (sentence !== undefined) {
      refuse(plan, sentence);
      plan.isClash = true;
      if (plan.before) neighbours.add(plan.before);
    } else {
      const warning = isMoved(plan.difference) ? neighbours.warningBeside(record) : undefined;
      if (warning !== undefined) plan.difference.warnings.push(warning);
      neighbours.add(record);
    }
  }
}

/** Only a change that places the record there warns; other edits of it change nothing. */
const isMoved = ({ fields }: DnsDifference) => fields.some((field) => ['name', 'type', 'proxied'].includes(field));

/** Returns the changes between two sets of records. Records are matched by id, then by key. */
export function changesBetween(
  from: readonly ProviderRecord[],
  to: readonly (NewRecord & { id?: string })[],
): { edits: [ProviderRecord, RecordContent][]; idempotencyKeys: NewRecord[]; deletions: ProviderRecord[] } {
  const unmatchedFrom = new Map(from.map((record) => [record.id, record]));
  const edits: [ProviderRecord, RecordContent][] = [];
  const unmatched: NewRecord[] = [];
  for (const record of to) {
    const match = record.id === undefined ? undefined : unmatchedFrom.get(record.id);
    if (!match) unmatched.push(record);
    else {
      unmatchedFrom.delete(match.id);
      if (versionOf(match) !== versionOf(record)) edits.push([match, contentOf(record)]);
    }
  }
  const byKey = new Map<string, ProviderRecord[]>();
  for (const record of unmatchedFrom.values())
    byKey.set(recordKey(record), [...(byKey.get(recordKey(record)) ?? []), record]);
  const idempotencyKeys: NewRecord[] = [];
  for (const record of unmatched) {
    const match = byKey.get(recordKey(record))?.pop();
    if (!match) idempotencyKeys.push({ ...contentOf(record), ...(record.extras && { extras: record.extras }) });
    else {
      unmatchedFrom.delete(match.id);
      if (versionOf(match) !== versionOf(record)) edits.push([match, contentOf(record)]);
    }
  }
  return { edits, idempotencyKeys, deletions: [...unmatchedFrom.values()] };
}

/** Plans the changes between two sets of records, and refuses records that Vigie cannot write. */
export function planBetween(
  from: readonly ProviderRecord[],
  to: readonly (NewRecord & { id?: string })[],
  zoneName: string,
): PlannedChange[] {
  const { edits, idempotencyKeys: creations, deletions } = changesBetween(from, to);
  const planned = [
    ...deletions.map((before): PlanDraft => {
      const difference = differenceOf(before.id, before, null);
      return { before, write: { action: 'delete', id: before.id }, difference };
    }),
    ...edits.map(([before, record]): PlanDraft => {
      const difference = differenceOf(before.id, before, record);
      return { before, write: { action: 'edit', id: before.id, record }, difference };
    }),
    ...creations.map((record): PlanDraft => {
      const difference = differenceOf(null, null, record);
      return { before: null, write: { action: 'create', record }, difference };
    }),
  ].map((plan, index) => ({ ...plan, index, expected: undefined }));
  for (const plan of planned) {
    const type = plan.before?.type ?? plan.difference.after?.type ?? '';
    if (plan.before?.editable === false || !isRecordType(type)) refuse(plan, readOnly);
    plan.difference.warnings.push(...warningsOf(plan.difference, from, zoneName));
  }
  refuseClashes(from, planned, zoneName);
  return planned;
}
