import { z } from 'zod';
import { isOn, text } from '../../app/address';

/** The state of the repairs panel, kept in the address. */
export const RepairsSearch = z.object({
  repairs: isOn,
  /** The job of the check or repair that the panel shows. */
  examined: text,
});
export type RepairsSearch = z.infer<typeof RepairsSearch>;
