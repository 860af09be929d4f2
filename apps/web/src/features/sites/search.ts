import { SiteStatus, siteSorts } from '@vigie/contracts/sites';
import { z } from 'zod';

// The router reads `?q=12` as a number.
const text = z.coerce.string().optional().catch(undefined);

/** What is shown of the sites, kept in the address. */
export const SitesSearch = z.object({
  q: text,
  /** With the groups below it. */
  group: text,
  server: text,
  status: SiteStatus.optional().catch(undefined),
  sort: z.enum(siteSorts).optional().catch(undefined),
  page: z.int().min(2).max(100_000).optional().catch(undefined),
  /** Of a page; 50 needs no word. */
  size: z.literal([200, 1_000]).optional().catch(undefined),
  /** The site whose test is shown. */
  open: text,
  /** The job that this test is. */
  test: text,
  /** The site whose form is open. */
  edit: text,
  /** The form for another site is open. */
  add: z.literal(true).optional().catch(undefined),
});
export type SitesSearch = z.infer<typeof SitesSearch>;

export const isFiltered = ({ q, group, server, status }: SitesSearch): boolean =>
  [q, group, server, status].some((value) => value !== undefined);
export const unfiltered = { q: undefined, group: undefined, server: undefined, status: undefined, page: undefined };

export const pageSizes = [50, 200, 1_000] as const;

/** What a list of them can be sorted by. */
export const columns = ['name', 'url', 'server', 'status', 'updates', 'wp_version', 'php_version', 'backup'] as const;
export type Column = (typeof columns)[number];
type Sort = NonNullable<SitesSearch['sort']>;

export const sortOf = ({ sort = 'name' }: SitesSearch): { column: Column; isDescending: boolean } => ({
  column: columns.find((column) => column === sort.replace(/^-/, '')) ?? 'name',
  isDescending: sort.startsWith('-'),
});

/** The address of a sort; the one that comes by itself has none. */
export function sortBy(column: Column, isDescending: boolean): Sort | undefined {
  const sort: Sort = isDescending ? `-${column}` : column;
  return sort === 'name' ? undefined : sort;
}

/** What is shown of one site. */
export const SiteSearch = z.object({
  test: text,
  edit: z.literal(true).optional().catch(undefined),
});
export type SiteSearch = z.infer<typeof SiteSearch>;
