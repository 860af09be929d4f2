import { z } from 'zod';
import { contract } from './contract';
import { JobTicket } from './jobs';
import { id, oneOf } from './text';

/** Of one batch. */
export const maxSites = 500;

const ids = z.array(id).min(1, 'Choisissez au moins un site.').max(maxSites, `Choisissez ${maxSites} sites au plus.`);

/** What is done to several sites at once, beside their updates. */
const SiteBatchVerb = oneOf(['test', 'backup', 'join', 'leave', 'delete']);
export type SiteBatchVerb = z.infer<typeof SiteBatchVerb>;

const SiteBatchLine = z.object({
  site_id: id,
  site_name: z.string(),
  url: z.string(),
  /** What speaks against it, and does not stop it. */
  warning: z.string().nullable(),
  /** Why it will be left out. */
  refusal: z.string().nullable(),
});
export type SiteBatchLine = z.infer<typeof SiteBatchLine>;

/** A line for each of them, by name. */
export const SiteBatchPlan = z.object({ items: z.array(SiteBatchLine) });
export type SiteBatchPlan = z.infer<typeof SiteBatchPlan>;

/** What would be done, from what is known: nobody is asked. */
export const planSiteBatch = contract('sites.site_batches.plan', {
  input: z
    .object({ verb: SiteBatchVerb, ids, group_id: id.optional() })
    .refine(
      ({ verb, group_id: group }) => (verb === 'join' || verb === 'leave') === (group !== undefined),
      'Choisissez un groupe.',
    ),
  output: SiteBatchPlan,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

/** A job for each of them; what cannot be begun is a line of the batch too, with its reason. */
export const backupSites = contract('sites.site_batches.backup', {
  input: z.object({ ids, exclude_cache: z.boolean().default(true) }),
  output: JobTicket,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

/** How many it was done to: all that were named, or none. */
const Done = z.object({ count: z.int() });

/** Into a group, or out of it: what is there already, or is not, stays as it is. */
export const groupSites = contract('sites.site_batches.group', {
  input: z.object({ ids, group_id: id, verb: oneOf(['join', 'leave']) }),
  output: Done,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

/** Their registrations, never a file of them. */
export const deleteSites = contract('sites.site_batches.delete', {
  input: z.object({ ids }),
  output: Done,
  callers: ['gateway'],
  timeoutMs: 15_000,
});
