import type { ScanResult, SiteTarget } from '@vigie/contracts/site-checks';
import { wpPath } from '@vigie/contracts/site-address';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import { type SiteSearch, searchOnce, searchSite } from '@vigie/wordpress/diagnose';
import { type Host, SiteFailure } from '@vigie/wordpress/host';
import { inspectOrScan } from '@vigie/wordpress/inspect';
import { withPhp } from '@vigie/wordpress/php';
import { type Scan, scanSites } from '@vigie/wordpress/scan';
import { env } from '../env';
import { failureOf, hostOf } from '../sites/site-host';

/** Reports the sites that were read so far, since reading the rest may fail. */
export type ReportScans = (scans: ScanResult[]) => Promise<void>;
type ReadOptions = { signal: AbortSignal; report: ReportScans };

/** Reads sites that share one connection. */
export type ReadSites = (connection: Connection, sites: readonly SiteTarget[], options: ReadOptions) => Promise<void>;

type SiteReading = Pick<ScanResult, 'facts' | 'failure' | 'path'>;
const scanResultOf = ({ id, version }: SiteTarget, { hostKey }: Connection, reading: SiteReading): ScanResult => ({
  id,
  version,
  host_key: hostKey,
  ...reading,
});

/** The failure is that of one site, such as a time-out or too much output: the next site may be fine. */
const isSiteFailure = (error: unknown) =>
  error instanceof SiteFailure ||
  (error instanceof SshFailure &&
    (error.kind === 'output-too-large' || (error.reason.kind === 'timed-out' && error.reason.phase === 'total')));

const failed = (failure: unknown): SiteReading => ({ facts: null, failure: failureOf(failure) ?? null });

/** Scans files and tables, of all sites with the same PHP together. */
export const scanAll: ReadSites = async (connection, sites, { signal, report }) => {
  const host = hostOf(connection);
  const defaults = sites.find(({ php }) => php !== null)?.php ?? null;
  const phpOf = ({ php }: SiteTarget) => php ?? defaults;
  for (const binary of new Set(sites.map(phpOf))) {
    const group = sites.filter((site) => phpOf(site) === binary);
    // A site without a path is located by a test or an inspection.
    const located = group.flatMap((site) => (site.path === null ? [] : [{ site, path: site.path }]));
    const paths = located.map(({ path }) => path);
    const onScans = (scans: ReadonlyMap<number, Scan | SiteFailure>) =>
      report(
        located.flatMap(({ site }, index) => {
          const scan = scans.get(index);
          if (!scan) return [];
          const reading = scan instanceof SiteFailure ? failed(scan) : { facts: scan.state, failure: null };
          return [scanResultOf(site, connection, reading)];
        }),
      );
    await withPhp(host, binary, (php) => scanSites(host, paths, { php, signal, onScans }), signal);
  }
};

/** Starts WordPress for one site after another: visitors need the host too. */
export const inspectAll: ReadSites = async (connection, sites, { signal, report }) => {
  const search = searchOnce();
  for (const site of sites) {
    try {
      const { facts: state, path } = await inspectSite(hostOf(connection), site, { signal, search });
      await report([
        scanResultOf(site, connection, { facts: state, failure: null, path: wpPath.safeParse(path).data }),
      ]);
    } catch (error) {
      if (!isSiteFailure(error)) throw error;
      await report([scanResultOf(site, connection, failed(error))]);
    }
  }
};

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
