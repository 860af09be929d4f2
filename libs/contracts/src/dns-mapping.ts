import { z } from 'zod';
import { contract } from './contract';
import { providerId, zoneRef } from './domain-name';
import { siteQuery } from './sites';
import { id, offset, searchText, timestamp } from './text';

const ZoneMapping = z.object({
  zone_id: providerId,
  /** The reference for calls: `zone_id`, unless several configurations share the zone. */
  zone_ref: zoneRef,
  zone_name: z.string(),
  auto_sync: z.boolean(),
  linked_at: timestamp,
});

export const SiteZone = z.object({
  site_id: id,
  /** Null while sites-svc is unavailable. */
  site_name: z.string().nullable(),
  zone_mappings: z.array(ZoneMapping),
});
export type SiteZone = z.infer<typeof SiteZone>;

/** Lists the sites that have a zone, in the order of their zones. Lists everything without `limit`. */
export const listSiteZones = contract('dns.mapping.list', {
  http: 'GET /api/cloudflare/sites/zones',
  access: 'user',
  scope: 'read',
  answer: { pages: 'site_zones' },
  reads: ['site-zones', 'sites'],
  input: z.object({
    /** Searches the zone's name and, like the list of sites, the site. */
    q: searchText(200).default(''),
    /** Lists the zone of one site. */
    site_id: id.optional(),
    limit: z.coerce.number().int().min(1).max(500).optional(),
    offset,
  }),
  output: z.object({ site_zones: z.array(SiteZone), total: z.int() }),
});

export const FreeSite = z.object({ id, name: z.string(), url: z.string() });
export type FreeSite = z.infer<typeof FreeSite>;

/** Lists the sites that have no zone by name, with the search of the list of sites. */
export const listFreeSites = contract('dns.mapping.free_sites', {
  http: 'GET /api/cloudflare/sites/free',
  access: 'user',
  scope: 'read',
  reads: ['site-zones', 'sites'],
  input: z.object({ q: siteQuery.default(''), limit: z.coerce.number().int().min(1).max(500).default(50), offset }),
  output: z.object({ sites: z.array(FreeSite), total: z.int() }),
});

/** Suggests links between unlinked sites and zones by host name: the first of `total`. */
export const suggestLinks = contract('dns.mapping.suggest', {
  http: 'GET /api/cloudflare/sites/suggestions',
  access: 'user',
  scope: 'read',
  reads: ['site-zones', 'zones', 'sites'],
  input: z.object({}),
  output: z.object({
    suggestions: z.array(z.object({ site: FreeSite, zone: z.object({ id: providerId, display_name: z.string() }) })),
    total: z.int(),
  }),
  timeoutMs: 25_000,
});

/** Links a zone to a site; answers 409 when either is linked already. */
export const linkZone = contract('dns.mapping.link', {
  http: 'POST /api/cloudflare/zones/:zone_id/link/:site_id',
  access: 'user',
  scope: 'dns',
  changes: ['zones', 'site-zones'],
  input: z.object({ zone_id: zoneRef, site_id: id, auto_sync: z.boolean().default(false) }),
  output: z.object({ site_zone: SiteZone }),
  timeoutMs: 25_000,
});

/** Removes the link; nothing changes at Cloudflare. */
export const unlinkZone = contract('dns.mapping.unlink', {
  http: 'DELETE /api/cloudflare/sites/:site_id/zone',
  access: 'user',
  scope: 'dns',
  changes: ['zones', 'site-zones'],
  input: z.object({ site_id: id }),
  output: z.object({}),
});
