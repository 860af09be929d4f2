import { z } from 'zod';
import { page, text } from '../../app/address';

/** The archive that is open beside a site, kept in its address. */
export const ArchiveSearch = z.object({
  archive: text,
  /** The folder of it that is shown. */
  folder: text,
  find: text,
  /** The archive that it is compared with. */
  other: text,
  sheet: page,
});
export type ArchiveSearch = z.infer<typeof ArchiveSearch>;

export const closed: ArchiveSearch = {
  archive: undefined,
  folder: undefined,
  find: undefined,
  other: undefined,
  sheet: undefined,
};
