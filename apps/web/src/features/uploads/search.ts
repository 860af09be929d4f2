import type { PackageKind } from '@vigie/contracts/uploads';
import { z } from 'zod';
import { page, text } from '../../kit/list/search-params';

/** The state of the page of uploads, kept in the address. */
export const UploadsSearch = z.object({
  q: text,
  page,
  /** The type of the archives to upload; absent for plugins. */
  type: z.literal('theme').optional().catch(undefined),
});
export type UploadsSearch = z.infer<typeof UploadsSearch>;

export const kindOf = ({ type: kind }: UploadsSearch): PackageKind => kind ?? 'plugin';
