import { z } from 'zod';
import { isApiError } from '../../app/api-error';
import { knownOf } from '../../app/diagnosis/refusal';

/** The first of them, and how many there are. */
const SitesAttached = z
  .object({
    code: z.literal('sites_attached'),
    sites: z.array(z.object({ id: z.string(), name: z.string() })),
    total: z.int().optional(),
  })
  .transform(({ sites, total = sites.length }) => ({ sites, total }));
export type SitesAttached = z.output<typeof SitesAttached>;

/** The sites that use a server, where that is why it was not deleted. */
export const attachedSites = (error: unknown): SitesAttached | undefined =>
  isApiError(error) ? SitesAttached.safeParse(knownOf(error)).data : undefined;
