import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { SshAccess } from '@vigie/contracts/credentials';
import type { JobError } from '@vigie/contracts/jobs';
import { claimScans, reportScans, type Scanned, type SiteToRead } from '@vigie/contracts/site-looks';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import { type Host, SiteFailure } from '@vigie/wordpress/host';
import { withPhp } from '@vigie/wordpress/php';
import { scanSites } from '@vigie/wordpress/scan';
import type { Worker } from 'bullmq';
import type { Connections } from '../connections';
import { openQueueWorker } from '../jobs/queue-worker';
import { failureOf, hostOf } from './site-host';

/** Batches at once; the hosts of one are asked at once. */
const concurrency = 4;
const groupMs = 300_000;
/** Of one message on the bus, which carries a megabyte. */
const mostItems = 50;
const mostBytes = 700_000;

/** Reads the files and tables of sites, all of one way in one go. What is lost is read again in the next round. */
export class Scanner implements OnApplicationBootstrap, OnApplicationShutdown {
  private worker: Worker<{ ids: string[] }> | undefined;
  private readonly over = new AbortController();

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys'>,
    private readonly redisUrl: string,
    private readonly connections: Connections,
  ) {}

  onApplicationBootstrap(): void {
    const take = ({ ids }: { ids: string[] }) => this.scan(ids);
    this.worker = openQueueWorker(this.kit, this.redisUrl, { name: 'site-scans', concurrency, take });
  }

  async onApplicationShutdown(): Promise<void> {
    this.over.abort();
    await this.worker?.close(true).catch(() => undefined);
  }

  private async scan(ids: string[]): Promise<void> {
    const { groups } = await this.kit.bus.call(claimScans, { ids });
    const looks = groups.map(async ({ access, sites }) => {
      const items = await this.scanGroup(access, sites).catch((error: unknown) => {
        this.kit.log.warn({ err: error, row: access.row.id }, 'sites could not be read');
        return [];
      });
      for (const part of inParts(items)) await this.kit.bus.call(reportScans, { items: part });
    });
    await Promise.all(looks);
  }

  private async scanGroup(access: SshAccess, sites: readonly SiteToRead[]): Promise<Scanned[]> {
    const signal = AbortSignal.any([this.over.signal, AbortSignal.timeout(groupMs)]);
    const work = async (connection: Connection) => {
      const found = await scanAll(hostOf(connection), sites, signal);
      return found.map((item) => ({ ...item, host_key: connection.hostKey }));
    };
    return this.connections.use(access, { signal, work }).catch((error: unknown) => {
      // It only took too long for whoever asks.
      if (error instanceof SshFailure && error.kind === 'cancelled') return [];
      const failure = failureOf(error);
      if (!failure) throw error;
      return sites.map((site) => failed(site, failure));
    });
  }
}

const failed = ({ id, version }: SiteToRead, failure: JobError): Scanned => ({ id, version, facts: null, failure });

/** By the PHP that each is read with. */
async function scanAll(host: Host, sites: readonly SiteToRead[], signal: AbortSignal): Promise<Scanned[]> {
  const scans: Scanned[] = [];
  const usual = sites.find(({ php }) => php !== null)?.php ?? null;
  const byPhp = new Map<string | null, (SiteToRead & { path: string })[]>();
  for (const site of sites) {
    // Where it lies is found by a test, or by an inspection.
    if (site.path === null) continue;
    const php = site.php ?? usual;
    byPhp.set(php, [...(byPhp.get(php) ?? []), { ...site, path: site.path }]);
  }
  for (const [known, some] of byPhp) {
    const paths = some.map(({ path }) => path);
    const found = await withPhp(host, known, (php) => scanSites(host, paths, { php, signal }), signal);
    for (const [place, site] of some.entries()) {
      const scan = found[place];
      if (!scan) continue;
      const failure = scan instanceof SiteFailure ? failureOf(scan) : undefined;
      if (failure) scans.push(failed(site, failure));
      else if (!(scan instanceof SiteFailure))
        scans.push({ ...failed(site, { message: '' }), facts: scan.facts, failure: null });
    }
  }
  return scans;
}

/** As many as one message may hold. */
export function inParts(items: readonly Scanned[]): Scanned[][] {
  const parts: Scanned[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    const part = parts.at(-1);
    if (part && part.length < mostItems && size + bytes <= mostBytes) {
      part.push(item);
      size += bytes;
    } else {
      parts.push([item]);
      size = bytes;
    }
  }
  return parts;
}
