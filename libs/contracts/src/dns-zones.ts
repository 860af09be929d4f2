import { z } from 'zod';
import { contract } from './contract';
import { domain, providerId, zoneRef } from './domain-name';
import { id, oneOf, searchText, timestamp } from './text';

export const DnsZone = z.object({
  id: providerId,
  /** Under which it is opened: its id, unless others whom an administrator sees hold it too. */
  ref: zoneRef,
  /** By whose login it is seen, where that is not plain; null where it is. */
  config_name: z.string().nullable(),
  /** As it travels: punycode. */
  name: z.string(),
  /** As people write it: `café.fr`. */
  display_name: z.string(),
  /** Cloudflare's word: `active`, `pending`, … */
  status: z.string(),
  paused: z.boolean(),
  type: z.string(),
  /** Those to enter at the registrar. */
  name_servers: z.array(z.string()),
  /** Those that were found when the zone was added. */
  original_name_servers: z.array(z.string()),
  plan: z.string().nullable(),
  account_name: z.string().nullable(),
  /** Sites linked to it: none or one. */
  total_mappings: z.int(),
  has_mappings: z.boolean(),
  site_id: id.nullable(),
  /** Null too while the service that knows the sites is away. */
  site_name: z.string().nullable().default(null),
  created_at: timestamp.nullable(),
});
export type DnsZone = z.infer<typeof DnsZone>;

export const zoneSorts = ['name', '-name', 'status', '-status', 'created_at', '-created_at'] as const;

/** From what was read within the last minute, or read anew. Without `limit`, everything. */
export const listDnsZones = contract('dns.zones.list', {
  input: z.object({
    limit: z.coerce.number().int().min(1).max(500).optional(),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    q: searchText(200).default(''),
    sort: oneOf(zoneSorts).default('name'),
    status: searchText(40).optional(),
    /** `1`: only zones without a site, for whoever links. */
    unlinked: oneOf(['0', '1']).default('0'),
    fresh: oneOf(['0', '1']).default('0'),
  }),
  output: z.object({
    zones: z.array(DnsZone),
    total: z.int(),
    /** When Cloudflare was last asked for all of them. */
    updated_at: timestamp,
    /** Why what is shown is older than it should be; null when it is not. */
    problem: z.string().nullable(),
  }),
  callers: ['gateway'],
  timeoutMs: 25_000,
});

export const readDnsZone = contract('dns.zones.read', {
  input: z.object({ id: zoneRef }),
  output: z.object({ zone: DnsZone }),
  callers: ['gateway'],
  timeoutMs: 25_000,
});

export const zoneNameRefusal = 'Veuillez entrer un nom de domaine valide';

/** With the name servers to enter at the registrar. */
export const createDnsZone = contract('dns.zones.create', {
  input: z.object({ domain: domain(zoneNameRefusal) }),
  output: z.object({ zone: DnsZone }),
  callers: ['gateway'],
  timeoutMs: 60_000,
});
