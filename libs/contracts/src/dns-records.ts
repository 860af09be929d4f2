import { z } from 'zod';
import { contract } from './contract';
import {
  canBeProxied,
  contentRefusal,
  hasPriority,
  isOfferedTtl,
  isRecordType,
  recordTypes,
  unofferedTtl,
} from './dns-content';
import { recordSorts } from './dns-sorts';
import { asciiName, isRecordName, providerId, zoneRef } from './domain-name';
import { offset, oneOf, optionalLine, requiredLine, requiredText, searchText, timestamp } from './text';

/** The content of a record without its id, for comparison, history and restoring. */
export const RecordContent = z.object({
  type: z.string(),
  /** The full name, in punycode. */
  name: z.string(),
  content: z.string(),
  /** In seconds; 1 means automatic. */
  ttl: z.int(),
  priority: z.int().nullable(),
  proxied: z.boolean(),
  comment: z.string().nullable(),
});
export type RecordContent = z.infer<typeof RecordContent>;

export const DnsRecord = RecordContent.extend({
  id: providerId,
  /** `@` for the zone itself, or else the name without the zone's name. */
  display_name: z.string(),
  /** Version of the content; sent back as `expected`, it prevents a change from overwriting another one. */
  version: z.string(),
  /** Vigie supports the record's type, and Cloudflare allows the change. */
  editable: z.boolean(),
  proxiable: z.boolean(),
  modified_at: timestamp.nullable(),
});
export type DnsRecord = z.infer<typeof DnsRecord>;

/** Numbers of records that changed between two states of a zone. */
export const ChangeCounts = z.object({ added: z.int(), changed: z.int(), removed: z.int() });
export type ChangeCounts = z.infer<typeof ChangeCounts>;

/** Changes made outside Vigie and not yet accepted by a user. */
export const Drift = z.object({ snapshot_id: z.uuid(), at: timestamp, ...ChangeCounts.shape });
export type Drift = z.infer<typeof Drift>;

const nameRefusal =
  'Ce nom n’est pas valide\u00a0: lettres, chiffres, tirets et points, ou @ pour le domaine lui-même.';
const name = requiredLine('Renseignez un nom et un contenu.', 1_000)
  .transform((text) => (text === '@' ? text : (asciiName(text) ?? '')))
  .refine((text) => text === '@' || isRecordName(text), nameRefusal);
const content = requiredText('Renseignez un nom et un contenu.', 4_096).transform((text) => text.trim());
const ttlRefusal = 'Le TTL est automatique, ou compris entre 30 et 86400\u00a0secondes.';
const ttl = z.int().refine((seconds) => seconds === 1 || (seconds >= 30 && seconds <= 86_400), ttlRefusal);
/** A user chooses a TTL from the list; other values of Cloudflare or of a zone file are kept. */
const offeredTtl = { ttl: z.int().refine(isOfferedTtl, unofferedTtl).nullish() };
const priorityRefusal = 'La priorité est un nombre de 0 à 65535.';
const priority = z.int().refine((value) => value >= 0 && value <= 65_535, priorityRefusal);
/** Cloudflare's limits on its paid plans and on the free plan. */
export const maxCommentLength = 500;
export const maxFreeCommentLength = 100;
const comment = optionalLine(maxCommentLength);

/** The name may be `@` or the zone's name for the zone itself, or relative to the zone. */
const RecordFields = z.object({
  type: oneOf(recordTypes),
  name,
  content,
  /** The default is an hour, or automatic for a proxied record. */
  ttl: ttl.nullish(),
  /** For MX and SRV only; the default is 10. */
  priority: priority.nullish(),
  proxied: z.boolean().nullish(),
  comment: comment.nullish(),
});

type Fields = { type?: string | undefined; content?: string | undefined; priority?: unknown; proxied?: unknown };

function refuseMisfit(
  { type, content: text, priority: recordPriority, proxied }: Fields,
  context: z.RefinementCtx,
): void {
  if (type === undefined || !isRecordType(type)) return;
  const refuse = (message: string, field: string) => context.addIssue({ code: 'custom', message, path: [field] });
  const sentence = text === undefined ? undefined : contentRefusal(type, text);
  if (sentence !== undefined) refuse(sentence, 'content');
  if (typeof recordPriority === 'number' && !hasPriority(type)) {
    refuse('Seuls les enregistrements MX et SRV ont une priorité.', 'priority');
  }
  if (proxied === true && !canBeProxied(type)) {
    refuse('Seuls les enregistrements A, AAAA et CNAME passent par le proxy de Cloudflare.', 'proxied');
  }
}

/** The fields of a record. */
export const RecordForm = RecordFields.superRefine(refuseMisfit);
export type RecordForm = z.output<typeof RecordForm>;

const ChosenFields = RecordFields.extend(offeredTtl);
/** The fields of a record that a user creates. */
export const NewRecordForm = ChosenFields.superRefine(refuseMisfit);

const RecordEdit = RecordFields.partial();
/** An absent field stays unchanged. */
export const RecordChanges = RecordEdit.superRefine(refuseMisfit);
export type RecordChanges = z.output<typeof RecordChanges>;

/** The `version` that the client loaded; without it the change applies to any version. */
export const expectedVersion = z.string().max(64).optional();
const zone = { zone_id: zoneRef };
const one = { ...zone, record_id: providerId };
// The call may wait for another one, and asks Cloudflare up to five times.
const timeoutMs = 60_000;

/**
 * Lists Cloudflare's records, those of the zone itself first. The first page reads Cloudflare at once; later pages may
 * use a reading of the last minute. Lists everything without `limit`.
 */
export const listDnsRecords = contract('dns.records.list', {
  http: 'GET /api/cloudflare/zones/:zone_id/dns',
  access: 'user',
  scope: 'read',
  answer: { pages: 'records' },
  reads: ['dns-records'],
  input: z.object({
    ...zone,
    limit: z.coerce.number().int().min(1).max(1_000).optional(),
    offset,
    q: searchText(200).default(''),
    type: z.string().max(20).optional(),
    sort: oneOf(recordSorts).default('name'),
    /** The `version` of the previous page, so that both come from the same reading. */
    version: z.string().max(64).optional(),
  }),
  output: z.object({
    records: z.array(DnsRecord),
    total: z.int(),
    /** When Cloudflare was read. */
    read_at: timestamp,
    /** Version of the whole zone. */
    version: z.string(),
    drift: Drift.nullable(),
  }),
  timeoutMs,
});

export const readDnsRecord = contract('dns.records.read', {
  http: 'GET /api/cloudflare/zones/:zone_id/dns/:record_id',
  access: 'user',
  scope: 'read',
  reads: ['dns-records'],
  input: z.object(one),
  output: z.object({ record: DnsRecord }),
  timeoutMs,
});

/** The `detail` of a 409: the record was changed or deleted meanwhile. */
export const RecordConflict = z.object({
  message: z.string(),
  code: z.literal('record_changed'),
  /** The record that the client loaded, if Vigie still has it. */
  loaded: DnsRecord.nullable(),
  /** The current record; null when it was deleted. */
  current: DnsRecord.nullable(),
  /** The requested record; null for a deletion. */
  wanted: RecordContent.nullable(),
});
export type RecordConflict = z.infer<typeof RecordConflict>;

export const createDnsRecord = contract('dns.records.create', {
  http: 'POST /api/cloudflare/zones/:zone_id/dns',
  access: 'user',
  scope: 'dns',
  status: 201,
  changes: ['dns-records'],
  input: ChosenFields.extend(zone).superRefine(refuseMisfit),
  output: z.object({ record: DnsRecord }),
  timeoutMs,
});

export const editDnsRecord = contract('dns.records.edit', {
  http: 'PUT /api/cloudflare/zones/:zone_id/dns/:record_id',
  access: 'user',
  scope: 'dns',
  changes: ['dns-records'],
  input: RecordEdit.extend({ ...one, expected: expectedVersion }).superRefine(refuseMisfit),
  output: z.object({ record: DnsRecord }),
  timeoutMs,
});

export const deleteDnsRecord = contract('dns.records.delete', {
  http: 'DELETE /api/cloudflare/zones/:zone_id/dns/:record_id',
  access: 'user',
  scope: 'dns',
  changes: ['dns-records'],
  input: z.object({ ...one, expected: expectedVersion }),
  output: z.object({}),
  timeoutMs,
});

const subdomainRefusal = 'Renseignez un sous-domaine, comme «\u00a0boutique\u00a0».';
const subdomain = requiredLine(subdomainRefusal, 1_000)
  .transform((text) => asciiName(text) ?? '')
  .refine(isRecordName, subdomainRefusal);

/** Creates by default an A record with the address of the linked site's server. */
export const createSubdomain = contract('dns.records.create_subdomain', {
  http: 'POST /api/cloudflare/zones/:zone_id/subdomain',
  access: 'user',
  scope: 'dns',
  status: 201,
  changes: ['dns-records'],
  input: z
    .object({
      ...zone,
      subdomain,
      type: oneOf(['A', 'AAAA', 'CNAME']).default('A'),
      content: content.nullish(),
      ...offeredTtl,
      proxied: RecordFields.shape.proxied,
    })
    .superRefine((form, context) => refuseMisfit({ ...form, content: form.content ?? undefined }, context)),
  output: z.object({ record: DnsRecord }),
  timeoutMs,
});
