import { z } from 'zod';
import { contract } from './contract';
import { Extension, SiteProblem, SiteState } from './inventory';
import { JobTicket } from './jobs';
import { Site } from './sites';
import { id, oneOf, timestamp } from './text';

/** The last known core, plugins and themes of a site, and when they were read. */
export const SiteInventory = z.object({
  core: SiteState.shape.core,
  plugins: z.array(Extension),
  themes: z.array(Extension),
  checks: Site.shape.checks,
  depth: SiteState.shape.depth.nullable(),
  problem: SiteProblem.nullable(),
  updated_at: timestamp.nullable(),
});
export type SiteInventory = z.infer<typeof SiteInventory>;

export const readInventory = contract('sites.sites.inventory', {
  http: 'GET /api/sites/:id/inventory',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  answer: { custom: z.union([SiteInventory, JobTicket]) },
  reads: ['sites'],
  input: z.object({ id, fresh: oneOf(['0', '1']).default('0') }),
  output: SiteInventory,
});

/** Inspects a site in a job: starts WordPress and makes it check for updates. */
export const inspectSite = contract('sites.sites.inspect', {
  scope: 'update',
  grantRole: 'operator',
  input: z.object({ id }),
  output: JobTicket,
  callers: ['gateway'],
});
