import { z } from 'zod';
import { contract } from './contract';
import { DiscoveredSite } from './inventory';
import { JobTicket } from './jobs';
import { siteUrl, wpPath } from './site-address';
import { missingFields } from './sites';
import { id, requiredLine } from './text';

/** The sites found on a server; `site_id` is set for a site that Vigie has already. */
export const Discovery = z.object({
  items: z.array(DiscoveredSite.extend({ site_id: id.nullable() })).max(2_000),
  /** Unreadable folders, and what was omitted. */
  notes: z.array(z.string().max(500)).max(50),
});
export type Discovery = z.infer<typeof Discovery>;

export const DiscoveryInput = z.object({ folder: z.string().nullish() });

/** Searches a server for WordPress sites in a job, in the usual folders and in the given one. */
export const discoverSites = contract('sites.site-discovery.discover', {
  http: 'POST /api/servers/:id/discover',
  access: 'user',
  scope: 'update',
  answer: { job: Discovery },
  changes: ['jobs'],
  input: z.object({ id, folder: wpPath.transform((path) => path || null).nullish() }),
  output: JobTicket,
});

const discoveredPath = wpPath.refine((path) => path !== '', 'Le chemin de chaque site est requis.');

/** Imports the chosen sites of a discovery, and skips those whose path on that server Vigie has already. */
export const importSites = contract('sites.site-discovery.import', {
  http: 'POST /api/sites/import',
  access: 'user',
  scope: 'update',
  status: 201,
  changes: ['sites', 'groups', 'servers'],
  input: z.object({
    server_id: id,
    items: z
      .array(z.object({ path: discoveredPath, name: requiredLine(missingFields, 100), url: siteUrl(missingFields) }))
      .min(1, 'Choisissez au moins un site.')
      .max(500, 'Importez 500 sites au plus à la fois.'),
    groups: z.array(id).max(100).default([]),
  }),
  output: z.object({
    items: z.array(z.object({ id, name: z.string(), path: z.string() })),
    skipped: z.array(z.object({ path: z.string(), site_id: id })),
  }),
  timeoutMs: 15_000,
});
