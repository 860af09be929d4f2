import { z } from 'zod';
import { contract } from './contract';
import { maxSites } from './site-batches';
import { id, oneOf } from './text';

/** What passes to another owner. A server takes its sites along, and a group all that is in it and below it. */
const kind = oneOf(['site', 'server', 'group']);
export type OwnedKind = z.infer<typeof kind>;

const ids = z.array(id).min(1, 'Choisissez au moins un site.').max(maxSites, `Choisissez ${maxSites} sites au plus.`);

const Counts = z.object({ sites: z.int(), servers: z.int(), groups: z.int() });

const choices = {
  /** The new owner. */
  user_id: id,
  /** Whether the archives of the sites in Vigie's store go along. */
  with_backups: z.boolean().default(true),
  /** Whether the uploaded packages go along whose plugin or theme is on no other site of the owner. */
  with_uploads: z.boolean().default(false),
  /** What the plan said would pass on: if it is no longer so, nothing does. */
  expected: Counts.optional(),
};

/** The first names of many. */
const Names = z.object({ names: z.array(z.string()), total: z.int() });

/** What a change of owner would do. */
export const OwnerPlan = z.object({
  sites: Names,
  servers: Names,
  groups: Names,
  /** The owner's other groups, which sites and servers leave. */
  left_groups: Names,
  /** Hosts with a private address, to which only an administrator's servers and sites may connect. */
  private_hosts: Names,
  /** Numbers of archives in Vigie's store, of uploaded packages that are on no other site, of grants that stay, of open jobs. */
  backups: z.int(),
  uploads: z.int(),
  grants: z.int(),
  jobs: z.int(),
});
export type OwnerPlan = z.infer<typeof OwnerPlan>;

/** Plans a change of owner from stored data, or refuses it as the change itself would. */
export const planOwner = contract('sites.owner_changes.plan', {
  http: 'POST /api/owners/plan',
  access: 'admin',
  input: z.object({ kind, ids, user_id: id }),
  output: OwnerPlan,
  timeoutMs: 15_000,
});

const changes = [
  'sites',
  'servers',
  'groups',
  'grants',
  'backups',
  'uploads',
  'jobs',
  'activity',
  'zones',
  'site-zones',
] as const;

/** Answers the numbers of what has passed on: none where the new owner had it already. */
export const changeOwner = contract('sites.owner_changes.apply', {
  http: {
    'PUT /api/sites/:id/owner': { kind: 'site' },
    'PUT /api/servers/:id/owner': { kind: 'server' },
    'PUT /api/groups/:id/owner': { kind: 'group' },
  },
  access: 'admin',
  changes,
  input: z.object({ kind, id, ...choices }),
  output: Counts,
  timeoutMs: 25_000,
});

/** Passes all of these sites to another owner, or none. */
export const changeOwnerOfSites = contract('sites.owner_changes.apply_to_sites', {
  http: 'POST /api/sites/batches/owner',
  access: 'admin',
  changes,
  input: z.object({ ids, ...choices }),
  output: Counts,
  timeoutMs: 25_000,
});
