import { maxListed, type PluginItem } from '@vigie/contracts/plugins';

/** Of the 300 kB that a list may be, with room for what stands around the plugins. */
const maxBytes = 280_000;

/** With as many sites each as there is room for: names may be long. */
export function inBytes(items: readonly PluginItem[], max = maxBytes): PluginItem[] {
  for (let listed = maxListed; listed > 0; listed = Math.floor(listed / 2)) {
    const shown = items.map((item) => ({ ...item, sites: item.sites.slice(0, listed) }));
    if (Buffer.byteLength(JSON.stringify(shown)) <= max) return shown;
  }
  return items.map((item) => ({ ...item, sites: [] }));
}
