import { z } from 'zod';
import { contract } from './contract';
import { DnsRecord, expectedVersion, NewRecordForm, RecordChanges, RecordContent } from './dns-records';
import { providerId, zoneRef } from './domain-name';
import { oneOf } from './text';

/** One change of many; an edit and a deletion may say what they expect to find. */
export const DnsChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('create'), record: NewRecordForm }),
  z.object({ action: z.literal('edit'), record_id: providerId, record: RecordChanges, expected: expectedVersion }),
  z.object({ action: z.literal('delete'), record_id: providerId, expected: expectedVersion }),
]);
export type DnsChange = z.output<typeof DnsChange>;

/** What is asked, and what came of it, each fit into one message. */
export const maxChanges = 500;
const changes = z
  .array(DnsChange)
  .min(1, 'Choisissez au moins un enregistrement.')
  .max(maxChanges, `Changez ${maxChanges}\u00a0enregistrements au plus à la fois.`);

export const recordFields = ['type', 'name', 'content', 'ttl', 'priority', 'proxied', 'comment'] as const;

/** What would become of one record. */
export const DnsDifference = z.object({
  /** `none`: it is already so. */
  action: z.enum(['create', 'edit', 'delete', 'none']),
  record_id: providerId.nullable(),
  before: RecordContent.nullable(),
  after: RecordContent.nullable(),
  /** Those that differ. */
  fields: z.array(z.enum(recordFields)),
  /** What is worth knowing before it is sent. */
  warnings: z.array(z.string()),
  /** Why it would be refused; null where it would not. */
  refusal: z.string().nullable(),
  /** The record is another one than was expected. */
  is_conflict: z.boolean(),
});
export type DnsDifference = z.infer<typeof DnsDifference>;

/** As many as one message carries. */
export const Differences = z.object({
  differences: z.array(DnsDifference),
  /** How many more there are. */
  left_out: z.int(),
});

/** In the order of the changes. */
const Preview = Differences.extend({
  /** Of the whole zone: sent back as `expected_zone`, nothing is done once it has changed. */
  version: z.string(),
});

const zone = { zone_id: zoneRef };
const timeoutMs = 60_000;

/** Changes nothing. */
export const previewDnsChanges = contract('dns.changes.preview', {
  input: z.object({ ...zone, changes }),
  output: Preview,
  callers: ['gateway'],
  timeoutMs,
});

/** What came of one change of many. `waiting`: not begun, ask again for these; `unknown`: look before asking again. */
export const ChangeResult = z.object({
  /** Its place in what was asked, from 0. */
  index: z.int(),
  state: z.enum(['done', 'refused', 'waiting', 'unknown']),
  record: DnsRecord.nullable(),
  message: z.string().nullable(),
});
export type ChangeResult = z.infer<typeof ChangeResult>;

export const BulkResult = z.object({
  results: z.array(ChangeResult),
  done: z.int(),
  /** Why it stopped before its end; null when it did not. */
  stopped: z.string().nullable(),
  /** In how many seconds it is worth going on. */
  retry_after: z.int().nullable(),
  /** Of the whole zone, afterwards. */
  version: z.string(),
});
export type BulkResult = z.infer<typeof BulkResult>;

const expectedZone = z.string().max(64).optional();

/** In parts, each of which happens whole or not at all. A conflict in any of them refuses all before the first. */
export const applyDnsChanges = contract('dns.changes.apply', {
  input: z.object({ ...zone, changes, expected_zone: expectedZone }),
  output: BulkResult,
  callers: ['gateway'],
  timeoutMs,
});

/** A zone file, as BIND reads it. */
export const exportDnsZone = contract('dns.zone_files.export', {
  input: z.object(zone),
  output: z.object({ filename: z.string(), content: z.string() }),
  callers: ['gateway'],
  timeoutMs,
});

/** As it travels, with room for what is around it. */
const maxFileBytes = 500_000;
const encoder = new TextEncoder();

/** Why a zone file cannot be sent; undefined where it can. */
export const fileRefusal = (content: string): string | undefined =>
  // A larger text has more bytes, and need not be counted.
  content.length > maxFileBytes || encoder.encode(JSON.stringify(content)).length > maxFileBytes
    ? 'Ce fichier de zone est trop volumineux\u00a0: 500\u00a0Ko au plus. Coupez-le entre deux lignes, et importez-en chaque partie en gardant ce qui n’y est pas.'
    : undefined;

const file = {
  ...zone,
  content: z.string().superRefine((content, context) => {
    const message = fileRefusal(content);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
  /**
   * `add`: what is missing. `replace`: what is not in the file goes too, but for the zone's own NS, and for what a line
   * may speak of that was not understood.
   */
  mode: oneOf(['add', 'replace']).default('add'),
};

/** Changes nothing: what the file would change, and the lines that were not understood. */
export const previewDnsImport = contract('dns.zone_files.preview', {
  input: z.object(file),
  output: Preview.extend({
    /** The first of them. */
    problems: z.array(z.object({ line: z.int(), text: z.string(), message: z.string() })),
    problems_total: z.int(),
    /** Records that are there already. */
    unchanged: z.int(),
    /** Records that are not in the file, and stay: those of the names of lines that were not understood. */
    spared: z.int(),
  }),
  callers: ['gateway'],
  timeoutMs,
});

/**
 * Lines that were not understood are left out. Its results are in the order of the preview's differences; asked again, it
 * goes on with what is missing.
 */
export const importDnsZone = contract('dns.zone_files.import', {
  input: z.object({ ...file, expected_zone: expectedZone }),
  output: BulkResult,
  callers: ['gateway'],
  timeoutMs,
});
