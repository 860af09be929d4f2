import { z } from 'zod';
import { flag } from '../../kit/list/search-params';

/** Whether the import of a CSV file is open, in the address of the list of sites. */
export const SiteCsvSearch = z.object({ csv: flag });
