import { z } from 'zod';
import { contract } from './contract';
import { providerId, zoneRef } from './domain-name';
import { id, timestamp } from './text';

const ZoneMapping = z.object({
  zone_id: providerId,
  /** Under which it is opened: as `zone_id`, unless other configurations hold the zone too. */
  zone_ref: zoneRef,
  zone_name: z.string(),
  auto_sync: z.boolean(),
  linked_at: timestamp,
});

/** A site and its zone: one at most. */
export const SiteZone = z.object({
  site_id: id,
  /** Null while the service that knows the sites is away. */
  site_name: z.string().nullable(),
  zone_mappings: z.array(ZoneMapping),
});
export type SiteZone = z.infer<typeof SiteZone>;

/** The sites that have a zone. */
export const listSiteZones = contract('dns.mapping.list', {
  input: z.object({}),
  output: z.object({ site_zones: z.array(SiteZone) }),
  callers: ['gateway'],
});

/** A 409 where either of them is linked already. */
export const linkZone = contract('dns.mapping.link', {
  input: z.object({ zone_id: zoneRef, site_id: id, auto_sync: z.boolean().default(false) }),
  output: z.object({ site_zone: SiteZone }),
  callers: ['gateway'],
  timeoutMs: 25_000,
});

/** Nothing changes at Cloudflare. */
export const unlinkZone = contract('dns.mapping.unlink', {
  input: z.object({ site_id: id }),
  output: z.object({}),
  callers: ['gateway'],
});
