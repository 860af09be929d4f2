import type { ScanResult, SiteTarget } from '@vigie/contracts/site-checks';
import { wpPath } from '@vigie/contracts/site-address';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import { searchOnce } from '@vigie/wordpress/diagnose';
import { SiteFailure } from '@vigie/wordpress/host';
import { withPhp } from '@vigie/wordpress/php';
import { type Scan, scanSites } from '@vigie/wordpress/scan';
import { inspectSite } from '../sites/inspect-site';
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
