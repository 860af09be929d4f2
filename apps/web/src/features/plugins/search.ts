import { pluginSorts } from '@vigie/contracts/plugins';
import { z } from 'zod';
import { flag, page, text, type ChangeSearch } from '../../kit/list/search-params';

/** The state of the page of plugins, kept in the address. */
export const PluginsSearch = z.object({
  q: text,
  /** Only plugins that have an update. */
  updates: flag,
  /** The group's subgroups count too. */
  group: text,
  sort: z.enum(pluginSorts).optional().catch(undefined),
  page,
  /** The plugin whose first sites are shown in the list. */
  expanded: text,
  /** Whether the sites that could not be read are listed. */
  failures: flag,
  /** The plugin whose sites the panel lists, with the filters of that panel. */
  sites: text,
  sites_q: text,
  sites_updates: flag,
  sites_page: page,
});
export type PluginsSearch = z.infer<typeof PluginsSearch>;
export type Change = ChangeSearch<PluginsSearch>;

export const isFiltered = ({ q, updates, group: groupId }: PluginsSearch): boolean =>
  [q, updates, groupId].some((value) => value !== undefined);
export const unfiltered = { q: undefined, updates: undefined, group: undefined, page: undefined };

/** Opens the panel of a plugin without the filters of the previous one; undefined closes it. */
export const openPanel = (sites: string | undefined) => ({
  sites,
  sites_q: undefined,
  sites_updates: undefined,
  sites_page: undefined,
});
