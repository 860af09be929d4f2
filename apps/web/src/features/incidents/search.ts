import { z } from 'zod';
import { page, text } from '../../kit/list/search-params';

/** The state of the page of incidents, kept in the address; without a filter it shows the open ones. */
export const IncidentsSearch = z.object({
  state: z.enum(['resolved', 'all']).optional().catch(undefined),
  site: text,
  server: text,
  page,
});
export type IncidentsSearch = z.infer<typeof IncidentsSearch>;
