import { z } from 'zod';
import { flag, text } from '../../kit/list/search-params';

/** The filters of the plugins and themes of a site. */
export const ItemsSearch = z.object({
  q: text,
  type: z.enum(['plugin', 'theme']).optional().catch(undefined),
  /** Only items with an update. */
  updates: flag,
});
export type ItemsSearch = z.infer<typeof ItemsSearch>;
