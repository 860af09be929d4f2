import { z } from 'zod';
import { isOn, text } from '../../app/address';

/** The filters of the plugins and themes of a site. */
export const ItemsSearch = z.object({
  q: text,
  type: z.enum(['plugin', 'theme']).optional().catch(undefined),
  /** Only items with an update. */
  updates: isOn,
});
export type ItemsSearch = z.infer<typeof ItemsSearch>;
