import type { UploadType } from '@vigie/contracts/uploads';
import { z } from 'zod';
import { page, text } from '../../app/address';

/** What is shown of the uploads, kept in the address. */
export const UploadsSearch = z.object({
  q: text,
  page,
  /** Of what is sent next; plugins unless it says so. */
  type: z.literal('theme').optional().catch(undefined),
});
export type UploadsSearch = z.infer<typeof UploadsSearch>;

export const typeOf = ({ type }: UploadsSearch): UploadType => type ?? 'plugin';
