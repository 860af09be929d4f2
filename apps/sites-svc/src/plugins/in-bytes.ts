import { mostListed, type PluginItem } from '@vigie/contracts/plugins';

/** Of the 300 kB that a list may be, with room for what stands around the plugins. */
const mostBytes = 280_000;

/** With as many sites each as there is room for: names may be long. */
export function inBytes(items: readonly PluginItem[], most = mostBytes): PluginItem[] {
  for (let listed = mostListed; listed > 0; listed = Math.floor(listed / 2)) {
    const shown = items.map((item) => ({ ...item, sites: item.sites.slice(0, listed) }));
    if (Buffer.byteLength(JSON.stringify(shown)) <= most) return shown;
  }
  return items.map((item) => ({ ...item, sites: [] }));
}
