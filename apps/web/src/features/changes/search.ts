import { z } from 'zod';
import { isOn, text } from '../../app/address';

/** What is shown of the plugins and themes of a site, kept in the address. */
export const ItemsSearch = z.object({
  q: text,
  type: z.enum(['plugin', 'theme']).optional().catch(undefined),
  /** Only what has an update. */
  updates: isOn,
});
export type ItemsSearch = z.infer<typeof ItemsSearch>;
