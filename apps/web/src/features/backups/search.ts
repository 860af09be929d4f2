import { z } from 'zod';

// The router reads `?path=12` as a number.
const text = z.coerce.string().optional().catch(undefined);

/** The archive that is open beside a site, kept in its address. */
export const ArchiveSearch = z.object({
  archive: text,
  /** The folder of it that is shown. */
  folder: text,
  find: text,
  /** The archive that it is compared with. */
  other: text,
  sheet: z.int().min(2).max(100_000).optional().catch(undefined),
});
export type ArchiveSearch = z.infer<typeof ArchiveSearch>;

export const closed: ArchiveSearch = {
  archive: undefined,
  folder: undefined,
  find: undefined,
  other: undefined,
  sheet: undefined,
};
