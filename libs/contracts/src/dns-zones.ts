import { z } from 'zod';
import { contract } from './contract';
import { zoneSorts } from './dns-sorts';
import { domain, providerId, zoneRef } from './domain-name';
import { id, offset, oneOf, searchText, timestamp } from './text';

export const DnsZone = z.object({
  id: providerId,
  /** The reference for calls: the id, unless several visible configurations share the zone. */
  ref: zoneRef,
  /** The configuration that shows the zone, when several share it; otherwise null. */
  config_name: z.string().nullable(),
  name: z.string(),
  /** With its accents, like `café.fr`. */
  display_name: z.string(),
  /** Cloudflare's status: `active`, `pending`, … */
  status: z.string(),
  paused: z.boolean(),
  type: z.string(),
  /** The name servers to enter at the registrar. */
  name_servers: z.array(z.string()),
  original_name_servers: z.array(z.string()),
  plan: z.string().nullable(),
  account_name: z.string().nullable(),
  /** Number of linked sites, at most one. */
  total_mappings: z.int(),
  has_mappings: z.boolean(),
  site_id: id.nullable(),
  /** Also null while sites-svc is unavailable. */
  site_name: z.string().nullable().default(null),
  created_at: timestamp.nullable(),
});
export type DnsZone = z.infer<typeof DnsZone>;

/** Lists zones, read at most a minute ago, or anew with `fresh=1`. Lists everything without `limit`. */
export const listDnsZones = contract('dns.zones.list', {
  http: 'GET /api/cloudflare/zones',
  access: 'user',
  scope: 'read',
  answer: { pages: 'zones' },
  reads: ['zones'],
  input: z.object({
    limit: z.coerce.number().int().min(1).max(500).optional(),
    offset,
    q: searchText(200).default(''),
    sort: oneOf(zoneSorts).default('name'),
    status: searchText(40).optional(),
    /** `1` lists only zones without a site. */
    unlinked: oneOf(['0', '1']).default('0'),
    fresh: oneOf(['0', '1']).default('0'),
  }),
  output: z.object({
    zones: z.array(DnsZone),
    total: z.int(),
    /** When Cloudflare's zones were last read. */
    updated_at: timestamp,
    /** Why the list is outdated; null when it is current. */
    problem: z.string().nullable(),
  }),
  timeoutMs: 25_000,
});

export const readDnsZone = contract('dns.zones.read', {
  http: 'GET /api/cloudflare/zones/:id',
  access: 'user',
  scope: 'read',
  reads: ['zones'],
  input: z.object({ id: zoneRef }),
  output: z.object({ zone: DnsZone }),
  timeoutMs: 25_000,
});

export const zoneNameRefusal = 'Veuillez entrer un nom de domaine valide';

/** Creates a zone and returns it with the name servers to enter at the registrar. */
export const createDnsZone = contract('dns.zones.create', {
  http: 'POST /api/cloudflare/zones',
  access: 'user',
  scope: 'dns',
  status: 201,
  changes: ['zones'],
  input: z.object({ domain: domain(zoneNameRefusal) }),
  output: z.object({ zone: DnsZone }),
  timeoutMs: 60_000,
});
