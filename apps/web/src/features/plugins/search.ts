import { pluginSorts } from '@vigie/contracts/plugins';
import { z } from 'zod';
import { isOn, page, text } from '../../app/address';
import type { Show } from '../../app/showing';

/** The state of the page of plugins, kept in the address. */
export const PluginsSearch = z.object({
  q: text,
  /** Only plugins that have an update. */
  updates: isOn,
  /** The group's subgroups count too. */
  group: text,
  sort: z.enum(pluginSorts).optional().catch(undefined),
  page,
  /** The plugin whose first sites are shown in the list. */
  expanded: text,
  /** Whether the sites that could not be read are listed. */
  failures: isOn,
  /** The plugin whose sites the panel lists, with the filters of that panel. */
  sites: text,
  sites_q: text,
  sites_updates: isOn,
  sites_page: page,
});
export type PluginsSearch = z.infer<typeof PluginsSearch>;
export type Change = Show<PluginsSearch>;

export const isFiltered = ({ q, updates, group }: PluginsSearch): boolean =>
  [q, updates, group].some((value) => value !== undefined);
export const unfiltered = { q: undefined, updates: undefined, group: undefined, page: undefined };

/** Opens the panel of a plugin without the filters of the previous one; undefined closes it. */
export const openPanel = (sites: string | undefined) => ({
  sites,
  sites_q: undefined,
  sites_updates: undefined,
  sites_page: undefined,
});
