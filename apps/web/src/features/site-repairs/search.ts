import { z } from 'zod';
import { isOn, text } from '../../app/address';

/** The panel of one site, in its address. */
export const RepairsSearch = z.object({
  repairs: isOn,
  /** The job of the look, or of the repair, that is shown. */
  examined: text,
});
export type RepairsSearch = z.infer<typeof RepairsSearch>;
