import { maxListed, type PluginItem } from '@vigie/contracts/plugins';

/** Of the 300 kB that a list may be, with room for what stands around the plugins. */
const maxBytes = 280_000;

/** With as many sites each as there is room for: names may be long. */
export function fitInBytes(items: readonly PluginItem[], max = maxBytes): PluginItem[] {
  for (let maxSites = maxListed; maxSites > 0; maxSites = Math.floor(maxSites / 2)) {
    const fitted = items.map((item) => ({ ...item, sites: item.sites.slice(0, maxSites) }));
    if (Buffer.byteLength(JSON.stringify(fitted)) <= max) return fitted;
  }
  return items.map((item) => ({ ...item, sites: [] }));
}
