import { z } from 'zod';
import { flag } from '../../kit/list/search-params';

/** How the picture of the fleet is shown, kept in the address. */
export const FleetSearch = z.object({
  /** What the sites are grouped by; absent for their servers. */
  by: z.enum(['group', 'status']).optional().catch(undefined),
  /** A list in place of the picture. */
  list: flag,
});
export type FleetSearch = z.infer<typeof FleetSearch>;
