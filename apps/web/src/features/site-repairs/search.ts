import { z } from 'zod';

/** The panel of one site, in its address. */
export const RepairsSearch = z.object({
  repairs: z.literal(true).optional().catch(undefined),
  /** The job of the look, or of the repair, that is shown. */
  examined: z.coerce.string().optional().catch(undefined),
});
export type RepairsSearch = z.infer<typeof RepairsSearch>;
