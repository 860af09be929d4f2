import { z } from 'zod';

// The router reads `?q=12` as a number.
const text = z.coerce.string().optional().catch(undefined);

/** What is shown of the plugins and themes of a site, kept in the address. */
export const ItemsSearch = z.object({
  q: text,
  type: z.enum(['plugin', 'theme']).optional().catch(undefined),
  /** Only what has an update. */
  updates: z.literal(true).optional().catch(undefined),
});
export type ItemsSearch = z.infer<typeof ItemsSearch>;
