import { maxOverviewSites, type PluginItem } from '@vigie/contracts/plugins';

/** A list may be 300 kB, the rest of the answer included. */
const maxBytes = 280_000;

/** Shortens the plugins' lists of sites until they fit: names may be long. */
export function fitInBytes(items: readonly PluginItem[], max = maxBytes): PluginItem[] {
  for (let maxSites = maxOverviewSites; maxSites > 0; maxSites = Math.floor(maxSites / 2)) {
    const fitted = items.map((item) => ({ ...item, sites: item.sites.slice(0, maxSites) }));
    if (Buffer.byteLength(JSON.stringify(fitted)) <= max) return fitted;
  }
  return items.map((item) => ({ ...item, sites: [] }));
}
