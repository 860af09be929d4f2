import { z } from 'zod';
import { contract } from './contract';
import { providerId, zoneRef } from './domain-name';
import { id, searchText } from './text';

/** All words, in any order, whatever their accents and case; nothing is found by nothing. */
const Question = z.object({
  q: searchText(200).default(''),
  /** Of each kind. */
  limit: z.coerce.number().int().min(1).max(20).default(5),
});

const Fleet = z.object({
  sites: z.array(z.object({ id, name: z.string(), url: z.string() })),
  servers: z.array(z.object({ id, name: z.string(), host: z.string() })),
  groups: z.array(z.object({ id, name: z.string(), parent: z.string().nullable() })),
  plugins: z.array(z.object({ slug: z.string(), name: z.string() })),
});
const Zones = z.object({
  zones: z.array(
    z.object({
      id: providerId,
      /** Under which it is opened, and by whose login where that is not plain. */
      ref: zoneRef,
      config_name: z.string().nullable(),
      /** As it travels: punycode. */
      name: z.string(),
      display_name: z.string(),
    }),
  ),
});

/** What the caller sees of what sites-svc has, the best first. */
export const searchFleet = contract('sites.search.find', { input: Question, output: Fleet, callers: ['gateway'] });

/** The same of zones, as they were last read: a search asks no provider. */
export const searchZones = contract('dns.search.find', {
  input: Question,
  output: Zones,
  callers: ['gateway'],
  timeoutMs: 2_000,
});

/** Of both. Whose owner is away is named; its lists are empty. */
export const SearchResults = z.object({
  ...Fleet.shape,
  ...Zones.shape,
  away: z.array(z.enum(['fleet', 'zones'])),
});
export type SearchResults = z.infer<typeof SearchResults>;
