import { pluginSorts } from '@vigie/contracts/plugins';
import { z } from 'zod';
import { isOn, page, text } from '../../app/address';
import type { Show } from '../../app/showing';

/** What is shown of the plugins of all sites, kept in the address. */
export const PluginsSearch = z.object({
  q: text,
  /** Only those that have an update. */
  updates: isOn,
  /** With the groups below it. */
  group: text,
  sort: z.enum(pluginSorts).optional().catch(undefined),
  page,
  /** The plugin whose first sites are shown below it. */
  expanded: text,
  /** The sites that could not be read are shown. */
  failures: isOn,
  /** The plugin whose sites are shown beside the list, and which of them. */
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

/** The panel with the sites of another plugin, or none. */
export const panelOf = (sites: string | undefined) => ({
  sites,
  sites_q: undefined,
  sites_updates: undefined,
  sites_page: undefined,
});
