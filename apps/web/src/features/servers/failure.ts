import { z } from 'zod';
import { isApiError } from '../../app/api-error';
import { knownOf } from '../../app/diagnosis/refusal';

const SitesAttached = z.object({ code: z.literal('sites_attached'), sites: z.array(z.object({ name: z.string() })) });

/** The names of the sites that use a server, where that is why it was not deleted. */
export const attachedSites = (error: unknown): string[] | undefined =>
  isApiError(error) ? SitesAttached.safeParse(knownOf(error)).data?.sites.map(({ name }) => name) : undefined;
