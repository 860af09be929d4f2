import { SiteStatus, siteSorts } from '@vigie/contracts/sites';
import { z } from 'zod';
import { isOn, page, text } from '../../app/address';

/** What is shown of the sites, kept in the address. */
export const SitesSearch = z.object({
  q: text,
  /** With the groups below it. */
  group: text,
  server: text,
  status: SiteStatus.optional().catch(undefined),
  sort: z.enum(siteSorts).optional().catch(undefined),
  page,
  /** Of a page; 50 needs no word. */
  size: z.literal([200, 1_000]).optional().catch(undefined),
  /** The site whose test is shown. */
  open: text,
  /** The job that this test is. */
  test: text,
  /** The site whose form is open. */
  edit: text,
  /** The form for another site is open. */
  add: isOn,
});
export type SitesSearch = z.infer<typeof SitesSearch>;

export const isFiltered = ({ q, group, server, status }: SitesSearch): boolean =>
  [q, group, server, status].some((value) => value !== undefined);
export const unfiltered = { q: undefined, group: undefined, server: undefined, status: undefined, page: undefined };

export const pageSizes = [50, 200, 1_000] as const;

/** What a list of them can be sorted by. */
export const columns = ['name', 'url', 'server', 'status', 'updates', 'wp_version', 'php_version', 'backup'] as const;
export type Column = (typeof columns)[number];

/** What is shown of one site. */
export const SiteSearch = z.object({
  test: text,
  edit: isOn,
});
export type SiteSearch = z.infer<typeof SiteSearch>;
