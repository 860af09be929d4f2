import { z } from 'zod';
import { flag, text } from '../../kit/list/search-params';

/** The discovery of sites, in the address of the screen that it is open on. */
export const DiscoverySearch = z.object({
  /** Whether a server is being chosen. */
  find: flag,
  /** The server whose sites are being discovered. */
  discover: text,
  /** The job of that discovery. */
  found: text,
});
export type DiscoverySearch = z.infer<typeof DiscoverySearch>;
