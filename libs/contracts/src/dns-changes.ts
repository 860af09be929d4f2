import { z } from 'zod';
import { contract } from './contract';
import { largeBody } from './routes';
import { DnsRecord, expectedVersion, NewRecordForm, RecordChanges, RecordContent } from './dns-records';
import { providerId, zoneRef } from './domain-name';
import { oneOf } from './text';

/** One change of several; an edit or deletion may name the version that it expects. */
export const DnsChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('create'), record: NewRecordForm }),
  z.object({ action: z.literal('edit'), record_id: providerId, record: RecordChanges, expected: expectedVersion }),
  z.object({ action: z.literal('delete'), record_id: providerId, expected: expectedVersion }),
]);
export type DnsChange = z.output<typeof DnsChange>;

/** Keeps a request and its results within one bus message each. */
export const maxChanges = 500;
const changes = z
  .array(DnsChange)
  .min(1, 'Choisissez au moins un enregistrement.')
  .max(maxChanges, `Changez ${maxChanges}\u00a0enregistrements au plus à la fois.`);

export const recordFields = ['type', 'name', 'content', 'ttl', 'priority', 'proxied', 'comment'] as const;

/** The effect of a change on one record. */
export const DnsDifference = z.object({
  /** `none` means that the record is already as requested. */
  action: z.enum(['create', 'edit', 'delete', 'none']),
  record_id: providerId.nullable(),
  before: RecordContent.nullable(),
  after: RecordContent.nullable(),
  fields: z.array(z.enum(recordFields)),
  warnings: z.array(z.string()),
  /** Why the change would be refused; null when it would not. */
  refusal: z.string().nullable(),
  /** The record's version differs from the expected one. */
  is_conflict: z.boolean(),
});
export type DnsDifference = z.infer<typeof DnsDifference>;

/** As many differences as one bus message carries. */
export const Differences = z.object({
  differences: z.array(DnsDifference),
  /** Number of further differences. */
  left_out: z.int(),
});

/** The differences in the order of the changes. */
const Preview = Differences.extend({
  /** Version of the zone; sent back as `expected_zone`, it stops the change when the zone has changed. */
  version: z.string(),
});

const zone = { zone_id: zoneRef };
const timeoutMs = 60_000;

export const previewDnsChanges = contract('dns.changes.preview', {
  http: 'POST /api/cloudflare/zones/:zone_id/dns/preview',
  access: 'user',
  scope: 'dns',
  bodyLimit: largeBody,
  input: z.object({ ...zone, changes }),
  output: Preview,
  timeoutMs,
});

/** Result of one change of several. Send `waiting` changes again; check the zone before repeating `unknown` ones. */
export const ChangeResult = z.object({
  /** Position in the request, from 0. */
  index: z.int(),
  state: z.enum(['done', 'refused', 'waiting', 'unknown']),
  record: DnsRecord.nullable(),
  message: z.string().nullable(),
});
export type ChangeResult = z.infer<typeof ChangeResult>;

export const BulkResult = z.object({
  results: z.array(ChangeResult),
  done: z.int(),
  /** Why the run stopped early; null when it completed. */
  stopped: z.string().nullable(),
  /** Seconds to wait before the call is repeated. */
  retry_after: z.int().nullable(),
  version: z.string(),
});
export type BulkResult = z.infer<typeof BulkResult>;

const expectedZone = z.string().max(64).optional();

/** Applies changes in atomic parts. A conflict in any part refuses all of them before the first. */
export const applyDnsChanges = contract('dns.changes.apply', {
  http: 'POST /api/cloudflare/zones/:zone_id/dns/bulk',
  access: 'user',
  scope: 'dns',
  bodyLimit: largeBody,
  changes: ['dns-records'],
  input: z.object({ ...zone, changes, expected_zone: expectedZone }),
  output: BulkResult,
  timeoutMs,
});

export const exportDnsZone = contract('dns.zone_files.export', {
  http: 'GET /api/cloudflare/zones/:zone_id/dns/export',
  access: 'user',
  scope: 'read',
  input: z.object(zone),
  output: z.object({ filename: z.string(), content: z.string() }),
  timeoutMs,
});

/** Limit of a zone file as JSON, which leaves room for the rest of the bus message. */
const maxFileBytes = 500_000;
const encoder = new TextEncoder();

/** Explains why a zone file is too large; undefined when it is not. */
export const fileRefusal = (content: string): string | undefined =>
  // A text has at least as many bytes as characters, so an oversized one need not be encoded.
  content.length > maxFileBytes || encoder.encode(JSON.stringify(content)).length > maxFileBytes
    ? 'Ce fichier de zone est trop volumineux\u00a0: 500\u00a0Ko au plus. Découpez-le entre deux lignes, puis importez chaque partie sans supprimer les autres enregistrements.'
    : undefined;

const file = {
  ...zone,
  content: z.string().superRefine((content, context) => {
    const message = fileRefusal(content);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
  /**
   * `add` creates missing records. `replace` also deletes records that are not in the file, except the zone's own NS
   * records and those that a misunderstood line may be about.
   */
  mode: oneOf(['add', 'replace']).default('add'),
};

/** Previews an import, with the lines of the file that were not understood. */
export const previewDnsImport = contract('dns.zone_files.preview', {
  http: 'POST /api/cloudflare/zones/:zone_id/dns/import/preview',
  access: 'user',
  scope: 'dns',
  bodyLimit: largeBody,
  input: z.object(file),
  output: Preview.extend({
    /** The first lines that were not understood. */
    problems: z.array(z.object({ line: z.int(), text: z.string(), message: z.string() })),
    problems_total: z.int(),
    /** Number of records that exist already. */
    unchanged: z.int(),
    /** Number of records that are kept because a misunderstood line has their name. */
    spared: z.int(),
  }),
  timeoutMs,
});

/**
 * Imports a zone file without the lines that were not understood. The results are in the order of the preview's
 * differences; a repeated call continues with the missing changes.
 */
export const importDnsZone = contract('dns.zone_files.import', {
  http: 'POST /api/cloudflare/zones/:zone_id/dns/import',
  access: 'user',
  scope: 'dns',
  bodyLimit: largeBody,
  changes: ['dns-records'],
  input: z.object({ ...file, expected_zone: expectedZone }),
  output: BulkResult,
  timeoutMs,
});
