import { SiteStatus, siteSorts } from '@vigie/contracts/sites';
import { z } from 'zod';
import { flag, page, text } from '../../kit/list/search-params';

/** The state of the page of sites, kept in the address. */
export const SitesSearch = z.object({
  q: text,
  /** The group's subgroups count too. */
  group: text,
  server: text,
  status: SiteStatus.optional().catch(undefined),
  sort: z.enum(siteSorts).optional().catch(undefined),
  page,
  /** The size of a page; absent for 50. */
  size: z.literal([200, 1_000]).optional().catch(undefined),
  /** The site whose panel is open. */
  open: text,
  /** The job of the test in that panel. */
  test: text,
  /** The site whose form is open. */
  edit: text,
  /** Whether the form for a new site is open. */
  add: flag,
});
export type SitesSearch = z.infer<typeof SitesSearch>;

export const isFiltered = ({ q, group: groupId, server: serverId, status }: SitesSearch): boolean =>
  [q, groupId, serverId, status].some((value) => value !== undefined);
export const unfiltered = { q: undefined, group: undefined, server: undefined, status: undefined, page: undefined };

export const pageSizes = [50, 200, 1_000] as const;

/** What the list can be sorted by; sites in error come first unless the address says otherwise. */
export const columns = [
  'attention',
  'name',
  'url',
  'server',
  'status',
  'updates',
  'wp_version',
  'php_version',
  'backup',
] as const;
export type Column = (typeof columns)[number];

export const firstSort = 'attention' satisfies Column;

/** The state of the page of one site, kept in the address. */
export const SiteSearch = z.object({
  edit: flag,
  /** Whether the form of a command is open. */
  command: flag,
  /** Whether its sharing is open. */
  share: flag,
  /** Whether the choice of another owner is open. */
  owner: flag,
});
export type SiteSearch = z.infer<typeof SiteSearch>;

/** The connection test that the page of one site shows. */
export const TestSearch = z.object({ test: text });
export type TestSearch = z.infer<typeof TestSearch>;
