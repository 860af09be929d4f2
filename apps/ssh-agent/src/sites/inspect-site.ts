import type { SiteTarget } from '@vigie/contracts/site-checks';
import { type SiteSearch, searchSite } from '@vigie/wordpress/diagnose';
import type { Host } from '@vigie/wordpress/host';
import { inspectOrScan } from '@vigie/wordpress/inspect';
import { withPhp } from '@vigie/wordpress/php';
import { env } from '../env';

/** Inspects a site; without a path it is located by its address. */
export function inspectSite(
  host: Host,
  site: SiteTarget,
  { signal, search = searchSite }: { signal: AbortSignal; search?: SiteSearch },
) {
  const read = async (php: string) => {
    const path = site.path ?? (await search(host, site.url, { php, signal }));
    const options = { php, refreshes: true, api: env.VIGIE_WORDPRESS_API_URL, signal };
    return { facts: await inspectOrScan(host, { path, url: site.url }, options), path };
  };
  return withPhp(host, site.php, read, signal);
}
