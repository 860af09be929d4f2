import { randomBytes } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import type { RecordResponse } from 'cloudflare/resources/dns/records';
import { z } from 'zod';
import { CloudflareRefusal } from './answers';

/** Cloudflare's documented schema; unknown fields and wrong values are refused. */
const common = {
  name: z.string().min(1).max(255),
  ttl: z.number().int().optional(),
  comment: z.string().max(100).nullable().optional(),
  tags: z.array(z.string()).optional(),
  settings: z
    .strictObject({
      flatten_cname: z.boolean().optional(),
      ipv4_only: z.boolean().optional(),
      ipv6_only: z.boolean().optional(),
    })
    .optional(),
};
const withContent = { ...common, content: z.string().min(1).max(4_096) };
const proxied = { proxied: z.boolean().optional() };
const uint16 = z.number().int().min(0).max(65_535);

const Body = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('A'), ...withContent, ...proxied }),
  z.strictObject({ type: z.literal('AAAA'), ...withContent, ...proxied }),
  z.strictObject({ type: z.literal('CNAME'), ...withContent, ...proxied }),
  z.strictObject({ type: z.literal('MX'), ...withContent, priority: uint16 }),
  z.strictObject({ type: z.literal('NS'), ...withContent }),
  z.strictObject({ type: z.literal('TXT'), ...withContent }),
  z.strictObject({
    type: z.literal('SRV'),
    ...common,
    data: z.strictObject({ priority: uint16, weight: uint16, port: uint16, target: z.string().min(1) }),
  }),
  z.strictObject({
    type: z.literal('CAA'),
    ...common,
    data: z.strictObject({ flags: z.number().int().min(0).max(255), tag: z.string(), value: z.string() }),
  }),
]);
type Body = z.infer<typeof Body>;

export type FakeRecord = RecordResponse & { id: string; type: string; name: string; content: string };

const refuse = (code: number, message: string): never => {
  throw new CloudflareRefusal(400, code, message);
};

const host = /^(?=.{1,253}$)(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,}$/;

/** Makes a record from a request body, or throws a refusal. */
function makeRecord(zoneName: string, value: unknown, existing?: FakeRecord): FakeRecord {
  const parsed = Body.safeParse(value);
  if (!parsed.success) return refuse(9207, `Request body is invalid. ${z.prettifyError(parsed.error)}`);
  const body = parsed.data;
  const name = fullName(body.name.toLowerCase(), zoneName);
  if (!host.test(name)) return refuse(9_000, 'DNS name is invalid.');
  const isProxied = 'proxied' in body && body.proxied === true;
  const { ttl = 1 } = body;
  refuseTtl(ttl, isProxied);
  const now = new Date().toISOString();
  return {
    ...(existing
      ? keptFields(existing)
      : { id: randomBytes(16).toString('hex'), tags: [], settings: {}, meta: {}, created_on: now }),
    ...body,
    ...(body.type === 'SRV' && { priority: body.data.priority }),
    name,
    content: contentOf(body),
    ttl,
    proxied: isProxied,
    proxiable: ['A', 'AAAA', 'CNAME'].includes(body.type),
    comment: body.comment || null,
    modified_on: now,
  } as unknown as FakeRecord;
}

const keptFields = ({ id, tags, settings, meta, created_on }: FakeRecord) => ({ id, tags, settings, meta, created_on });

const fullName = (name: string, zoneName: string) =>
  name === '@' || name === zoneName ? zoneName : name.endsWith(`.${zoneName}`) ? name : `${name}.${zoneName}`;

function refuseTtl(ttl: number, isProxied: boolean): void {
  if (ttl !== 1 && (ttl < 60 || ttl > 86_400)) {
    refuse(9021, 'Invalid TTL. Must be between 60 and 86400 seconds, or 1 for Automatic.');
  }
  if (isProxied && ttl !== 1) refuse(9021, 'ttl must be set to 1 when `proxied` is true');
}

type PlainType = Exclude<Body['type'], 'SRV' | 'CAA'>;
const isShort = (content: string) =>
  (content.match(/"(?:[^"\\]|\\.)*"/g) ?? []).every((part) => part.length <= 257 + escapes(part));
const contentRules: Readonly<Record<PlainType, [number, (content: string) => boolean]>> = {
  A: [9005, isIPv4],
  AAAA: [9006, isIPv6],
  CNAME: [9007, (content) => host.test(content)],
  NS: [9008, (content) => host.test(content)],
  MX: [9009, (content) => content === '.' || host.test(content)],
  TXT: [9010, isShort],
};

function contentOf(body: Body): string {
  if (body.type === 'SRV') {
    const { weight, port, target } = body.data;
    if (target !== '.' && !host.test(target)) refuse(9101, 'Target is not a valid hostname.');
    return `${weight} ${port} ${target}`;
  }
  if (body.type === 'CAA') {
    const { flags, tag, value } = body.data;
    if (!['issue', 'issuewild', 'iodef', 'issuemail'].includes(tag)) refuse(9101, 'tag is not valid.');
    return `${flags} ${tag} "${value}"`;
  }
  const { type, content } = body;
  const [code, isFitting] = contentRules[type];
  if (!isFitting(content)) refuse(code, `Content for ${type} record is invalid.`);
  return content;
}

const escapes = (text: string) => text.match(/\\./g)?.length ?? 0;

function refuseConflict(records: readonly FakeRecord[], record: FakeRecord): void {
  for (const other of records) {
    if (other.id === record.id || other.name !== record.name) continue;
    const isSame = other.type === record.type && other.content.toLowerCase() === record.content.toLowerCase();
    if (isSame) refuse(81_058, 'An identical record already exists.');
    if (record.type === 'CNAME' && isAddress(other)) {
      refuse(81_053, 'An A, AAAA, or CNAME record with that host already exists.');
    }
    if (other.type === 'CNAME' && isAddress(record)) {
      refuse(81_054, 'A CNAME record with that host already exists.');
    }
  }
}

const isAddress = ({ type }: FakeRecord) => ['A', 'AAAA', 'CNAME'].includes(type);

const Batch = z.strictObject({
  deletes: z.array(z.strictObject({ id: z.string() })).optional(),
  patches: z.array(z.looseObject({ id: z.string() })).optional(),
  puts: z.array(z.looseObject({ id: z.string() })).optional(),
  posts: z.array(z.looseObject({})).optional(),
});

const maxInBatch = 200;

/** The records of a zone. Each change applies completely or not at all. */
export class FakeRecords {
  records: FakeRecord[] = [];

  constructor(private readonly zoneName: string) {}

  find(id: string): FakeRecord {
    const record = this.records.find((each) => each.id === id);
    if (!record) throw new CloudflareRefusal(404, 81_044, 'Record does not exist.');
    return record;
  }

  create(body: unknown): FakeRecord {
    const record = makeRecord(this.zoneName, body);
    refuseConflict(this.records, record);
    this.records = [...this.records, record];
    return record;
  }

  patch(id: string, changes: object): FakeRecord {
    const existing = this.find(id);
    const {
      type,
      name,
      content,
      data,
      ttl,
      proxied: isProxied,
      comment,
      priority,
    } = existing as FakeRecord & {
      data?: object;
      priority?: number;
    };
    const isSameType = !('type' in changes) || changes.type === type;
    const previous = {
      type,
      name,
      ttl,
      ...(comment && { comment }),
      ...(isSameType && (data ? { data } : { content })),
      ...(isSameType && isAddress(existing) && { proxied: isProxied }),
      ...(isSameType && type === 'MX' && { priority }),
    };
    return this.put(id, { ...previous, ...changes });
  }

  put(id: string, body: unknown): FakeRecord {
    const existing = this.find(id);
    if (Object(existing.meta).read_only === true) refuse(81_047, 'This record is managed by another product.');
    const record = makeRecord(this.zoneName, body, existing);
    refuseConflict(this.records, record);
    this.records = this.records.map((each) => (each.id === id ? record : each));
    return record;
  }

  delete(id: string): { id: string } {
    this.find(id);
    this.records = this.records.filter((each) => each.id !== id);
    return { id };
  }

  batch(body: unknown) {
    const parsed = Batch.safeParse(body);
    if (!parsed.success) return refuse(9207, 'Request body is invalid.');
    const { deletes = [], patches = [], puts = [], posts = [] } = parsed.data;
    if (deletes.length + patches.length + puts.length + posts.length > maxInBatch) {
      refuse(9207, `A batch has ${maxInBatch} changes at most.`);
    }
    const before = this.records;
    try {
      return {
        deletes: deletes.map(({ id }) => {
          const deleted = this.find(id);
          this.delete(id);
          return deleted;
        }),
        patches: patches.map(({ id, ...changes }) => this.patch(id, changes)),
        puts: puts.map(({ id, ...record }) => this.put(id, record)),
        posts: posts.map((record) => this.create(record)),
      };
    } catch (error) {
      this.records = before;
      throw error;
    }
  }
}
