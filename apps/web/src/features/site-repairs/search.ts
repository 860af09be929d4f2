import { z } from 'zod';
import { flag, text } from '../../kit/list/search-params';

/** The state of the repairs panel, kept in the address. */
export const RepairsSearch = z.object({
  repairs: flag,
  /** The job of the check or repair that the panel shows. */
  examined: text,
});
export type RepairsSearch = z.infer<typeof RepairsSearch>;
