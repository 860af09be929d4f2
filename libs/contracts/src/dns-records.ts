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
import { asciiName, isRecordName, providerId, zoneRef } from './domain-name';
import { oneOf, optionalLine, requiredLine, requiredText, searchText, timestamp } from './text';

/** What a record says, without its id: compared, kept and written again. */
export const RecordContent = z.object({
  type: z.string(),
  /** Whole, in punycode. */
  name: z.string(),
  content: z.string(),
  /** In seconds; 1: automatic. */
  ttl: z.int(),
  priority: z.int().nullable(),
  proxied: z.boolean(),
  comment: z.string().nullable(),
});
export type RecordContent = z.infer<typeof RecordContent>;

export const DnsRecord = RecordContent.extend({
  id: providerId,
  /** As people read it: `@` for the zone itself, else without the zone's name. */
  display_name: z.string(),
  /** Of what it says: sent back as `expected`, it keeps a change from overwriting somebody else's. */
  version: z.string(),
  /** Vigie writes its type, and Cloudflare lets it be changed. */
  editable: z.boolean(),
  /** It may be proxied. */
  proxiable: z.boolean(),
  modified_at: timestamp.nullable(),
});
export type DnsRecord = z.infer<typeof DnsRecord>;

/** What changed between two states of a zone. */
export const ChangeCounts = z.object({ added: z.int(), changed: z.int(), removed: z.int() });
export type ChangeCounts = z.infer<typeof ChangeCounts>;

/** Changes that were made elsewhere, and seen by a look: until somebody says that they are known. */
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
/** What Cloudflare or a zone file has already is kept; what somebody chooses is of the list. */
const chosen = { ttl: z.int().refine(isOfferedTtl, unofferedTtl).nullish() };
const priorityRefusal = 'La priorité est un nombre de 0 à 65535.';
const priority = z.int().refine((value) => value >= 0 && value <= 65_535, priorityRefusal);
/** As long as Cloudflare takes it on its paid plans, and on the free one. */
export const longestComment = 500;
export const longestFreeComment = 100;
const comment = optionalLine(longestComment);

/** `@` and the bare zone are the zone itself; a relative name gets the zone. */
const RecordFields = z.object({
  type: oneOf(recordTypes),
  name,
  content,
  /** Absent: an hour, or automatic where the record is proxied. */
  ttl: ttl.nullish(),
  /** Of MX and SRV only; absent there: 10. */
  priority: priority.nullish(),
  proxied: z.boolean().nullish(),
  comment: comment.nullish(),
});

type Fields = { type?: string | undefined; content?: string | undefined; priority?: unknown; proxied?: unknown };

function refuseMisfit({ type, content: text, priority: order, proxied }: Fields, context: z.RefinementCtx): void {
  if (type === undefined || !isRecordType(type)) return;
  const refuse = (message: string, field: string) => context.addIssue({ code: 'custom', message, path: [field] });
  const sentence = text === undefined ? undefined : contentRefusal(type, text);
  if (sentence !== undefined) refuse(sentence, 'content');
  if (typeof order === 'number' && !hasPriority(type)) {
    refuse('Seuls les enregistrements MX et SRV ont une priorité.', 'priority');
  }
  if (proxied === true && !canBeProxied(type)) {
    refuse('Seuls les enregistrements A, AAAA et CNAME passent par le proxy de Cloudflare.', 'proxied');
  }
}

/** All that makes a record. */
export const RecordForm = RecordFields.superRefine(refuseMisfit);
export type RecordForm = z.output<typeof RecordForm>;

const ChosenFields = RecordFields.extend(chosen);
/** The same, of somebody who makes one. */
export const NewRecordForm = ChosenFields.superRefine(refuseMisfit);

const RecordEdit = RecordFields.partial();
/** Absent is unchanged. */
export const RecordChanges = RecordEdit.superRefine(refuseMisfit);
export type RecordChanges = z.output<typeof RecordChanges>;

/** The `version` that was seen; absent: whatever is there is changed. */
export const expectedVersion = z.string().max(64).optional();
const zone = { zone_id: zoneRef };
const one = { ...zone, record_id: providerId };
// Behind somebody else, and Cloudflare asked up to five times.
const timeoutMs = 60_000;

export const recordSorts = ['name', '-name', 'type', '-type', 'ttl', '-ttl', 'content', '-content'] as const;

/**
 * As Cloudflare has them, the zone's own first: now, or within the last minute behind a first part. Without `limit`,
 * everything.
 */
export const listDnsRecords = contract('dns.records.list', {
  input: z.object({
    ...zone,
    limit: z.coerce.number().int().min(1).max(1_000).optional(),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    q: searchText(200).default(''),
    type: z.string().max(20).optional(),
    sort: oneOf(recordSorts).default('name'),
    /** Of the part that this one follows: both are of the same reading. */
    version: z.string().max(64).optional(),
  }),
  output: z.object({
    records: z.array(DnsRecord),
    total: z.int(),
    /** When Cloudflare was asked for them. */
    read_at: timestamp,
    /** Of all of them together. */
    version: z.string(),
    drift: Drift.nullable(),
  }),
  callers: ['gateway'],
  timeoutMs,
});

export const readDnsRecord = contract('dns.records.read', {
  input: z.object(one),
  output: z.object({ record: DnsRecord }),
  callers: ['gateway'],
  timeoutMs,
});

/** What stands in the way of a change: the record is another one now, or gone. It is the `detail` of the 409. */
export const RecordConflict = z.object({
  message: z.string(),
  code: z.literal('record_changed'),
  /** As it was when it was loaded, where Vigie still knows it. */
  loaded: DnsRecord.nullable(),
  /** As it is; null: it was deleted. */
  current: DnsRecord.nullable(),
  /** As it was to be; null: it was to be deleted. */
  wanted: RecordContent.nullable(),
});
export type RecordConflict = z.infer<typeof RecordConflict>;

export const createDnsRecord = contract('dns.records.create', {
  input: ChosenFields.extend(zone).superRefine(refuseMisfit),
  output: z.object({ record: DnsRecord }),
  callers: ['gateway'],
  timeoutMs,
});

export const editDnsRecord = contract('dns.records.edit', {
  input: RecordEdit.extend({ ...one, expected: expectedVersion }).superRefine(refuseMisfit),
  output: z.object({ record: DnsRecord }),
  callers: ['gateway'],
  timeoutMs,
});

export const deleteDnsRecord = contract('dns.records.delete', {
  input: z.object({ ...one, expected: expectedVersion }),
  output: z.object({}),
  callers: ['gateway'],
  timeoutMs,
});

const subdomainRefusal = 'Renseignez un sous-domaine, comme «\u00a0boutique\u00a0».';
const subdomain = requiredLine(subdomainRefusal, 1_000)
  .transform((text) => asciiName(text) ?? '')
  .refine(isRecordName, subdomainRefusal);

/** An A record to the address of the linked site's server, unless something else is said. */
export const createSubdomain = contract('dns.records.create_subdomain', {
  input: z
    .object({
      ...zone,
      subdomain,
      type: oneOf(['A', 'AAAA', 'CNAME']).default('A'),
      content: content.nullish(),
      ...chosen,
      proxied: RecordFields.shape.proxied,
    })
    .superRefine((form, context) => refuseMisfit({ ...form, content: form.content ?? undefined }, context)),
  output: z.object({ record: DnsRecord }),
  callers: ['gateway'],
  timeoutMs,
});
