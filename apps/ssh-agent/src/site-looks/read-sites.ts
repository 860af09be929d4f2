import type { ScanResult, SiteToRead } from '@vigie/contracts/site-checks';
import { wpPath } from '@vigie/contracts/site-address';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import { type Search, searchOnce, searchSite } from '@vigie/wordpress/diagnose';
import { type Host, SiteFailure } from '@vigie/wordpress/host';
import { inspectOrScan } from '@vigie/wordpress/inspect';
import { withPhp } from '@vigie/wordpress/php';
import { type Scan, scanSites } from '@vigie/wordpress/scan';
import { env } from '../env';
import { failureOf, hostOf } from '../sites/site-host';

/** What is known of some of them already: what comes later may never come. */
export type Tell = (seen: ScanResult[]) => Promise<void>;
type ReadOptions = { signal: AbortSignal; tell: Tell };

/** Reads sites that share one way. */
export type ReadSites = (connection: Connection, sites: readonly SiteToRead[], options: ReadOptions) => Promise<void>;

type Found = Pick<ScanResult, 'facts' | 'failure' | 'path'>;
const scannedOf = ({ id, version }: SiteToRead, { hostKey }: Connection, found: Found): ScanResult => ({
  id,
  version,
  host_key: hostKey,
  ...found,
});

/** What it ran took too long or said too much: the next one may well answer. */
const isOfSite = (error: unknown) =>
  error instanceof SiteFailure ||
  (error instanceof SshFailure &&
    (error.kind === 'output-too-large' || (error.reason.kind === 'timed-out' && error.reason.phase === 'total')));

const failed = (failure: unknown): Found => ({ facts: null, failure: failureOf(failure) ?? null });

/** Their files and tables, all of them in one go for each PHP that they are read with. */
export const scanAll: ReadSites = async (connection, sites, { signal, tell }) => {
  const host = hostOf(connection);
  const defaults = sites.find(({ php }) => php !== null)?.php ?? null;
  const phpOf = ({ php }: SiteToRead) => php ?? defaults;
  for (const known of new Set(sites.map(phpOf))) {
    const some = sites.filter((site) => phpOf(site) === known);
    // Where one lies is found by a test, or by an inspection.
    const placed = some.flatMap((site) => (site.path === null ? [] : [{ site, path: site.path }]));
    const paths = placed.map(({ path }) => path);
    const onSeen = (seen: ReadonlyMap<number, Scan | SiteFailure>) =>
      tell(
        placed.flatMap(({ site }, place) => {
          const scan = seen.get(place);
          if (!scan) return [];
          const found = scan instanceof SiteFailure ? failed(scan) : { facts: scan.facts, failure: null };
          return [scannedOf(site, connection, found)];
        }),
      );
    await withPhp(host, known, (php) => scanSites(host, paths, { php, signal, onSeen }), signal);
  }
};

/** WordPress itself, one after the other: their visitors need the host too. */
export const inspectAll: ReadSites = async (connection, sites, { signal, tell }) => {
  const search = searchOnce();
  for (const site of sites) {
    try {
      const { facts, path } = await askWordPress(hostOf(connection), site, { signal, search });
      await tell([scannedOf(site, connection, { facts, failure: null, path: wpPath.safeParse(path).data })]);
    } catch (error) {
      if (!isOfSite(error)) throw error;
      await tell([scannedOf(site, connection, failed(error))]);
    }
  }
};

/** Where nobody has said its path, it is looked for by its address. */
export function askWordPress(
  host: Host,
  site: SiteToRead,
  { signal, search = searchSite }: { signal: AbortSignal; search?: Search },
) {
  const look = async (php: string) => {
    const path = site.path ?? (await search(host, site.url, { php, signal }));
    const options = { php, refreshes: true, api: env.VIGIE_WORDPRESS_API_URL, signal };
    return { facts: await inspectOrScan(host, { path, url: site.url }, options), path };
  };
  return withPhp(host, site.php, look, signal);
}
