import type { Scanned, SiteToRead } from '@vigie/contracts/site-looks';
import type { Connection } from '@vigie/ssh/connection';
import { searchSite } from '@vigie/wordpress/diagnose';
import { type Host, SiteFailure } from '@vigie/wordpress/host';
import { inspectSite } from '@vigie/wordpress/inspect';
import { withPhp } from '@vigie/wordpress/php';
import { scanSites } from '@vigie/wordpress/scan';
import { env } from '../env';
import { failureOf, hostOf } from './site-host';

/** Reads sites that share one way. */
export type ReadSites = (
  connection: Connection,
  sites: readonly SiteToRead[],
  signal: AbortSignal,
) => Promise<Scanned[]>;

const scannedOf = (site: SiteToRead, { hostKey }: Connection, found: Pick<Scanned, 'facts' | 'failure'>): Scanned => ({
  id: site.id,
  version: site.version,
  host_key: hostKey,
  ...found,
});

/** Their files and tables, all of them in one go for each PHP that they are read with. */
export const scanAll: ReadSites = async (connection, sites, signal) => {
  const host = hostOf(connection);
  const scans: Scanned[] = [];
  const usual = sites.find(({ php }) => php !== null)?.php ?? null;
  const phpOf = ({ php }: SiteToRead) => php ?? usual;
  for (const known of new Set(sites.map(phpOf))) {
    const some = sites.filter((site) => phpOf(site) === known);
    // Where one lies is found by a test, or by an inspection.
    const placed = some.flatMap((site) => (site.path === null ? [] : [{ site, path: site.path }]));
    const paths = placed.map(({ path }) => path);
    const found = await withPhp(host, known, (php) => scanSites(host, paths, { php, signal }), signal);
    for (const [place, { site }] of placed.entries()) {
      const scan = found[place];
      if (!scan) continue;
      const isFailed = scan instanceof SiteFailure;
      const result = isFailed
        ? { facts: null, failure: failureOf(scan) ?? null }
        : { facts: scan.facts, failure: null };
      scans.push(scannedOf(site, connection, result));
    }
  }
  return scans;
};

/** WordPress itself, one after the other: their visitors need the host too. */
export const inspectAll: ReadSites = async (connection, sites, signal) => {
  const found: Scanned[] = [];
  for (const site of sites) {
    try {
      const { facts } = await askWordPress(hostOf(connection), site, signal);
      found.push(scannedOf(site, connection, { facts, failure: null }));
    } catch (error) {
      if (!(error instanceof SiteFailure)) throw error;
      found.push(scannedOf(site, connection, { facts: null, failure: failureOf(error) ?? null }));
    }
  }
  return found;
};

/** Where nobody has said its path, it is looked for by its address. */
export function askWordPress(host: Host, site: SiteToRead, signal: AbortSignal) {
  const look = async (php: string) => {
    const path = site.path ?? (await searchSite(host, site.url, { php, signal }));
    const api = env.VIGIE_WORDPRESS_API_URL ?? null;
    return inspectSite(host, { path, url: site.url }, { php, refreshes: true, api, signal });
  };
  return withPhp(host, site.php, look, signal);
}
