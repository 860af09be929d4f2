import { type DnsChange, type DnsDifference, recordFields } from '@vigie/contracts/dns-changes';
import { isRecordType } from '@vigie/contracts/dns-content';
import type { RecordContent } from '@vigie/contracts/dns-records';
import { AppError } from '@vigie/contracts/errors';
import type { HeldRecord, NewRecord, Write } from '../providers/provider';
import { contentOf, keyOf, versionOf } from './canonical';
import { Neighbours } from './neighbours';
import { changed, fromForm } from './wanted';
import { warningsOf } from './warnings';

/** A change as it would be sent. Pending writes store it as JSON: its keys must not change. */
export type Planned = {
  index: number;
  difference: DnsDifference;
  /** Null when there is nothing to send. */
  write: Write | null;
  before: HeldRecord | null;
  /** The version that the person saw. */
  expected: string | undefined;
  /** Whether another record is the reason of the refusal. */
  isClash?: true;
};

export const goneRecord = 'Cet enregistrement n’existe pas ou n’existe plus.';
const readOnly =
  'Cet enregistrement est tenu par Cloudflare, ou d’un type que Vigie ne modifie pas\u00a0: changez-le chez Cloudflare.';

/** Plans changes on the current records, and checks each against all the others. */
export function planChanges(
  records: readonly HeldRecord[],
  zoneName: string,
  changes: readonly DnsChange[],
): Planned[] {
  const known = new Map(records.map((record) => [record.id, record]));
  const planned = changes.map((change, index) => ({ index, ...planOne(known, zoneName, change) }));
  refuseTwice(planned);
  refuseClashes(records, planned, zoneName);
  for (const { difference } of planned) difference.warnings.push(...warningsOf(difference, records, zoneName));
  return planned;
}

type Plan = Omit<Planned, 'index'>;
type Unseen = Omit<Plan, 'expected'>;

function planOne(known: ReadonlyMap<string, HeldRecord>, zoneName: string, change: DnsChange): Plan {
  if (change.action === 'create') {
    const record = fromForm(change.record, zoneName);
    const difference = differenceOf(null, null, record);
    return { before: null, write: { action: 'create', record }, expected: undefined, difference };
  }
  const before = known.get(change.record_id) ?? null;
  const isStale = change.expected !== undefined && (!before || versionOf(before) !== change.expected);
  const plan = before ? planKnown(before, zoneName, change) : unknownRecord(change.record_id);
  const { difference } = plan;
  // A repeated change that is already applied causes no conflict.
  const isSo = before !== null && difference.action === 'none' && difference.refusal === null;
  return { ...plan, expected: change.expected, difference: { ...difference, is_conflict: isStale && !isSo } };
}

function planKnown(before: HeldRecord, zoneName: string, change: Exclude<DnsChange, { action: 'create' }>): Unseen {
  const { id } = before;
  if (!before.editable) return { before, write: null, difference: refused(id, before, readOnly) };
  if (change.action === 'delete') {
    return { before, write: { action: 'delete', id }, difference: differenceOf(id, before, null) };
  }
  try {
    const record = changed(before, change.record, zoneName);
    const difference = differenceOf(id, before, record);
    return { before, write: difference.action === 'none' ? null : { action: 'edit', id, record }, difference };
  } catch (error) {
    if (error instanceof AppError) return { before, write: null, difference: refused(id, before, error.message) };
    throw error;
  }
}

const unknownRecord = (id: string): Unseen => ({
  before: null,
  write: null,
  difference: refused(id, null, goneRecord),
});

const refused = (id: string, before: HeldRecord | null, refusal: string): DnsDifference => ({
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

function refuse(plan: Planned, sentence: string): void {
  plan.difference.refusal ??= sentence;
  plan.write = null;
}

/** Refuses a second change of the same record, because their order is undefined. */
function refuseTwice(planned: readonly Planned[]): void {
  const seen = new Set<string>();
  for (const plan of planned) {
    const { record_id: id } = plan.difference;
    if (id !== null && seen.has(id)) refuse(plan, 'Cet enregistrement est déjà changé par une autre ligne.');
    if (id !== null) seen.add(id);
  }
}

/** Refuses what the provider would refuse beside the resulting records. */
function refuseClashes(records: readonly HeldRecord[], planned: readonly Planned[], zoneName: string): void {
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
      const warning = isPlaced(plan.difference) ? neighbours.warningBeside(record) : undefined;
      if (warning !== undefined) plan.difference.warnings.push(warning);
      neighbours.add(record);
    }
  }
}

/** Only a change that places the record there warns; other edits of it change nothing. */
const isPlaced = ({ fields }: DnsDifference) => fields.some((field) => ['name', 'type', 'proxied'].includes(field));

/** Returns the changes between two sets of records. Records are matched by id, then by key. */
export function changesBetween(
  from: readonly HeldRecord[],
  to: readonly (NewRecord & { id?: string })[],
): { edits: [HeldRecord, RecordContent][]; creations: NewRecord[]; deletions: HeldRecord[] } {
  const rest = new Map(from.map((record) => [record.id, record]));
  const edits: [HeldRecord, RecordContent][] = [];
  const unmatched: NewRecord[] = [];
  for (const record of to) {
    const same = record.id === undefined ? undefined : rest.get(record.id);
    if (!same) unmatched.push(record);
    else {
      rest.delete(same.id);
      if (versionOf(same) !== versionOf(record)) edits.push([same, contentOf(record)]);
    }
  }
  const byKey = new Map<string, HeldRecord[]>();
  for (const record of rest.values()) byKey.set(keyOf(record), [...(byKey.get(keyOf(record)) ?? []), record]);
  const creations: NewRecord[] = [];
  for (const record of unmatched) {
    const same = byKey.get(keyOf(record))?.pop();
    if (!same) creations.push({ ...contentOf(record), ...(record.extras && { extras: record.extras }) });
    else {
      rest.delete(same.id);
      if (versionOf(same) !== versionOf(record)) edits.push([same, contentOf(record)]);
    }
  }
  return { edits, creations, deletions: [...rest.values()] };
}

/** Plans the changes between two sets of records, and refuses records that Vigie cannot write. */
export function planBetween(
  from: readonly HeldRecord[],
  to: readonly (NewRecord & { id?: string })[],
  zoneName: string,
): Planned[] {
  const { edits, creations, deletions } = changesBetween(from, to);
  const planned = [
    ...deletions.map((before): Unseen => {
      const difference = differenceOf(before.id, before, null);
      return { before, write: { action: 'delete', id: before.id }, difference };
    }),
    ...edits.map(([before, record]): Unseen => {
      const difference = differenceOf(before.id, before, record);
      return { before, write: { action: 'edit', id: before.id, record }, difference };
    }),
    ...creations.map((record): Unseen => {
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
