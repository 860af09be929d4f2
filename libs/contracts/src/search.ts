import { z } from 'zod';
import { contract } from './contract';
import { providerId, zoneRef } from './domain-name';
import { ServerState } from './server-state';
import { id, searchText } from './text';

/**
 * Words in any order; accents and case are ignored, and an empty search finds nothing. Where no site, server, group or plugin
 * has all words, those with a typing error in a longer word count.
 */
const SearchInput = z.object({
  q: searchText(200).default(''),
  /** Maximum number of results of each kind. */
  limit: z.coerce.number().int().min(1).max(20).default(5),
});

const FleetResults = z.object({
  sites: z.array(z.object({ id, name: z.string(), url: z.string(), server_id: id.nullable().default(null) })),
  servers: z.array(z.object({ id, name: z.string(), host: z.string(), state: ServerState.default('unknown') })),
  groups: z.array(z.object({ id, name: z.string(), parent: z.string().nullable() })),
  plugins: z.array(z.object({ slug: z.string(), name: z.string() })),
});
const ZoneResults = z.object({
  zones: z.array(
    z.object({
      id: providerId,
      /** The reference for calls; `config_name` is set when several configurations share the zone. */
      ref: zoneRef,
      config_name: z.string().nullable(),
      /** In punycode. */
      name: z.string(),
      display_name: z.string(),
    }),
  ),
});

/** Results of both searches; `away` names an unavailable one, whose lists are empty. */
export const SearchResults = z.object({
  ...FleetResults.shape,
  ...ZoneResults.shape,
  away: z.array(z.enum(['fleet', 'zones'])),
});
export type SearchResults = z.infer<typeof SearchResults>;

/** Searches the caller's sites, servers, groups and plugins, best matches first. */
export const searchFleet = contract('sites.search.find', {
  http: 'GET /api/search',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  answer: { custom: SearchResults },
  input: SearchInput,
  output: FleetResults,
});

/** Searches the zones of the last reading, without a request to Cloudflare. */
export const searchZones = contract('dns.search.find', {
  input: SearchInput,
  output: ZoneResults,
  callers: ['gateway'],
  timeoutMs: 2_000,
});
