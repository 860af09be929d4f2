import { z } from 'zod';
import { page, text } from '../../kit/list/search-params';

/** The archive that is open beside a site. */
export const ArchiveSearch = z.object({
  archive: text,
  folder: text,
  find: text,
  /** The archive to compare with. */
  other: text,
  sheet: page,
});
export type ArchiveSearch = z.infer<typeof ArchiveSearch>;

export const closedArchive: ArchiveSearch = {
  archive: undefined,
  folder: undefined,
  find: undefined,
  other: undefined,
  sheet: undefined,
};
