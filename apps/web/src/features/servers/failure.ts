import { z } from 'zod';
import { isApiError } from '../../kit/query/api-error';
import { errorDetail } from '../../kit/diagnosis/failure';

/** The first sites that use a server, and the count of all. */
const SitesAttached = z
  .object({
    code: z.literal('sites_attached'),
    sites: z.array(z.object({ id: z.string(), name: z.string() })),
    total: z.int().optional(),
  })
  .transform(({ sites, total = sites.length }) => ({ sites, total }));
export type SitesAttached = z.output<typeof SitesAttached>;

/** Reads the sites out of the refusal to delete a server that sites use. */
export const attachedSites = (error: unknown): SitesAttached | undefined =>
  isApiError(error) ? SitesAttached.safeParse(errorDetail(error)).data : undefined;
