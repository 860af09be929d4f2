import type { UploadType } from '@vigie/contracts/uploads';
import { z } from 'zod';

// The router reads `?q=12` as a number.
const text = z.coerce.string().optional().catch(undefined);

/** What is shown of the uploads, kept in the address. */
export const UploadsSearch = z.object({
  q: text,
  page: z.int().min(2).max(100_000).optional().catch(undefined),
  /** Of what is sent next; plugins unless it says so. */
  type: z.literal('theme').optional().catch(undefined),
});
export type UploadsSearch = z.infer<typeof UploadsSearch>;

export const typeOf = ({ type }: UploadsSearch): UploadType => type ?? 'plugin';
