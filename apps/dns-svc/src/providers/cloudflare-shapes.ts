import { canBeProxied, isRecordType, parseCaa, parseSrv, defaultPriority } from '@vigie/contracts/dns-content';
import { asciiName } from '@vigie/contracts/domain-name';
import type {
  AAAARecordParam,
  ARecordParam,
  CAARecordParam,
  CNAMERecordParam,
  MXRecordParam,
  NSRecordParam,
  SRVRecordParam,
  TXTRecordParam,
} from 'cloudflare/resources/dns/records';
import { z } from 'zod';
import { canonicalContent, priorityIn, quoteText } from '../records/canonical';
import type { Account, ProviderRecord, ProviderZone, NewRecord } from './provider';

const Page = z.looseObject({
  result: z.array(z.unknown()),
  result_info: z.looseObject({ page: z.number(), total_count: z.number().nullish() }),
});
const Identified = z.looseObject({ id: z.string() });

/** The library reads any other answer as an empty list, so that a zone would seem to have lost all its records. */
export const itemsOf = (page: unknown): unknown[] => Page.parse(page).result;

/** Also returns the total, or undefined when the answer does not contain it. */
export function pageOf<T>(page: unknown, read: (item: unknown) => T): { items: T[]; total: number | undefined } {
  const { result, result_info: info } = Page.parse(page);
  return { items: result.map(read), total: info.total_count ?? undefined };
}

/** Refuses an answer without an id, which did not come from Cloudflare. */
export function requireId<T>(answer: T): T {
  Identified.parse(answer);
  return answer;
}

const time = z
  .string()
  .nullish()
  .transform((text) => (text && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : null));

const list = z
  .array(z.unknown())
  .nullish()
  .transform((items) => items ?? []);
const AnyBatch = z.object({ deletes: list, patches: list, posts: list });

export function toBatchResult(value: unknown): {
  deleted: Set<string>;
  changed: ProviderRecord[];
  created: ProviderRecord[];
} {
  const { deletes, patches, posts } = AnyBatch.parse(value);
  return {
    deleted: new Set(deletes.map((item) => Identified.parse(item).id)),
    changed: patches.map(toProviderRecord),
    created: posts.map(toProviderRecord),
  };
}

const AnyAccount = z.object({ id: z.string(), name: z.string() });
export const toAccount = (value: unknown): Account => AnyAccount.parse(value);

const AnyToken = z.object({ id: z.string(), status: z.string(), expires_on: time });
export const toToken = (value: unknown) => AnyToken.parse(value);

const OwnedZone = z.object({
  id: z.string(),
  account: z.object({ id: z.string().nullish(), name: z.string().nullish() }).nullish(),
  permissions: z.array(z.string()).nullish(),
});

export const toOwnedZone = (value: unknown) => OwnedZone.parse(value);

/** One schema for all types: the library has a union, and Cloudflare sometimes adds a type. */
const AnyRecord = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  content: z.string().nullish(),
  ttl: z.number().nullish(),
  priority: z.number().nullish(),
  proxied: z.boolean().nullish(),
  proxiable: z.boolean().nullish(),
  comment: z.string().nullish(),
  data: z.looseObject({}).nullish(),
  tags: z.array(z.string()).nullish().catch(null),
  settings: z.looseObject({}).nullish().catch(null),
  meta: z.looseObject({ read_only: z.boolean().nullish() }).nullish().catch(null),
  modified_on: time,
});

const SrvData = z.looseObject({ priority: z.number(), weight: z.number(), port: z.number(), target: z.string() });
const CaaData = z.looseObject({ flags: z.number(), tag: z.string(), value: z.string() });

export function toProviderRecord(value: unknown): ProviderRecord {
  const record = AnyRecord.parse(value);
  const { type } = record;
  const name = asciiName(record.name) ?? record.name;
  const content = textOf(type, record.content ?? '', record.data);
  const srv = type === 'SRV' ? SrvData.safeParse(record.data).data : undefined;
  return {
    id: record.id,
    type,
    name,
    content: canonicalContent(type, content, name),
    ttl: record.ttl ?? 1,
    priority: srv?.priority ?? priorityIn(type, content, record.priority),
    proxied: record.proxied ?? false,
    comment: record.comment || null,
    editable: isRecordType(type) && record.meta?.read_only !== true,
    proxiable: record.proxiable ?? canBeProxied(type),
    modified_at: record.modified_on,
    ...extrasOf(record),
  };
}

/** Leaves defaults out: some plans accept neither tags nor settings. */
function extrasOf({ tags, settings }: z.infer<typeof AnyRecord>): Pick<ProviderRecord, 'extras'> {
  const enabled = Object.entries(settings ?? {}).flatMap(([name, value]) =>
    value === true ? [[name, true] as const] : [],
  );
  const extras = {
    ...(tags && tags.length > 0 && { tags }),
    ...(enabled.length > 0 && { settings: Object.fromEntries<boolean>(enabled) }),
  };
  return Object.keys(extras).length > 0 ? { extras } : {};
}

function textOf(type: string, content: string, data: unknown): string {
  const srv = type === 'SRV' ? SrvData.safeParse(data).data : undefined;
  if (srv) return `${srv.weight} ${srv.port} ${srv.target}`;
  const caa = type === 'CAA' ? CaaData.safeParse(data).data : undefined;
  return caa ? `${caa.flags} ${caa.tag} "${caa.value}"` : content;
}

type RecordParam =
  | AAAARecordParam
  | ARecordParam
  | CAARecordParam
  | CNAMERecordParam
  | MXRecordParam
  | NSRecordParam
  | SRVRecordParam
  | TXTRecordParam;

/** Builds the body that Cloudflare expects, with structured content as fields. An empty comment deletes the old one. */
export function toBody(record: NewRecord, isNew: boolean): RecordParam {
  const { type, name, ttl, content, priority, proxied, comment, extras } = record;
  const note = isNew && comment === null ? {} : { comment: comment ?? '' };
  const common = { type, name, ttl, ...note, ...(canBeProxied(type) && { proxied }), ...(isNew && extras) };
  return { ...common, ...contentFieldsOf(type, content, priority ?? defaultPriority) } as RecordParam;
}

function contentFieldsOf(type: string, content: string, priority: number): object {
  if (type === 'SRV') return { data: parseSrv(content, priority) };
  if (type === 'CAA') return { data: parseCaa(content) };
  if (type === 'MX') return { content, priority };
  return { content: type === 'TXT' ? quoteText(content) : content };
}

const AnyZone = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string().nullish(),
  paused: z.boolean().nullish(),
  type: z.string().nullish(),
  name_servers: z.array(z.string()).nullish(),
  original_name_servers: z.array(z.string()).nullish(),
  plan: z.looseObject({ name: z.string().nullish() }).nullish(),
  account: z.looseObject({ name: z.string().nullish() }).nullish(),
  created_on: time,
});

export function toProviderZone(value: unknown): ProviderZone {
  const zone = AnyZone.parse(value);
  return {
    id: zone.id,
    name: asciiName(zone.name) ?? zone.name,
    status: zone.status ?? 'unknown',
    paused: zone.paused ?? false,
    type: zone.type ?? 'full',
    name_servers: zone.name_servers ?? [],
    original_name_servers: zone.original_name_servers ?? [],
    plan: zone.plan?.name ?? null,
    account_name: zone.account?.name ?? null,
    created_at: zone.created_on,
  };
}
