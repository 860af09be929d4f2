import { z } from 'zod';
import { contract } from './contract';
import { JobTicket } from './jobs';
import { id, oneOf } from './text';

/** Maximum number of sites in one batch. */
export const maxSites = 500;

const ids = z.array(id).min(1, 'Choisissez au moins un site.').max(maxSites, `Choisissez ${maxSites} sites au plus.`);

/** Actions on several sites, except updates. */
const SiteBatchVerb = oneOf(['test', 'backup', 'join', 'leave', 'delete']);
export type SiteBatchVerb = z.infer<typeof SiteBatchVerb>;

const SiteBatchLine = z.object({
  site_id: id,
  site_name: z.string(),
  url: z.string(),
  /** A reason for caution that does not prevent the action. */
  warning: z.string().nullable(),
  /** Why the site will be left out. */
  refusal: z.string().nullable(),
});
export type SiteBatchLine = z.infer<typeof SiteBatchLine>;

/** One line per site, by name. */
export const SiteBatchPlan = z.object({ items: z.array(SiteBatchLine) });
export type SiteBatchPlan = z.infer<typeof SiteBatchPlan>;

/** Plans an action from stored data, without contacting any host. */
export const planSiteBatch = contract('sites.site_batches.plan', {
  http: 'POST /api/sites/batches/plan',
  access: 'user',
  scope: 'read',
  grantRole: 'operator',
  input: z
    .object({ verb: SiteBatchVerb, ids, group_id: id.optional() })
    .refine(
      ({ verb, group_id: groupId }) => (verb === 'join' || verb === 'leave') === (groupId !== undefined),
      'Choisissez un groupe.',
    ),
  output: SiteBatchPlan,
  timeoutMs: 15_000,
});

/** Starts one backup job per site; a site that cannot be backed up is a failed line of the batch. */
export const backupSites = contract('sites.site_batches.backup', {
  http: 'POST /api/sites/batches/backup',
  access: 'user',
  scope: 'backup',
  grantRole: 'operator',
  answer: 'ticket',
  changes: ['jobs'],
  input: z.object({ ids, exclude_cache: z.boolean().default(true) }),
  output: JobTicket,
  timeoutMs: 15_000,
});

/** Number of changed sites: all of the request, or none. */
const Done = z.object({ count: z.int() });

/** Adds sites to a group or removes them from it; sites already in that state stay unchanged. */
export const groupSites = contract('sites.site_batches.group', {
  http: 'POST /api/sites/batches/group',
  access: 'user',
  scope: 'update',
  grantRole: 'manager',
  changes: ['sites', 'groups'],
  input: z.object({ ids, group_id: id, verb: oneOf(['join', 'leave']) }),
  output: Done,
  timeoutMs: 15_000,
});

/** Deletes the registrations of sites in Vigie, never their files. */
export const deleteSites = contract('sites.site_batches.delete', {
  http: 'POST /api/sites/batches/delete',
  access: 'user',
  scope: 'update',
  grantRole: 'manager',
  changes: ['sites', 'groups', 'servers'],
  input: z.object({ ids }),
  output: Done,
  timeoutMs: 15_000,
});
