import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { SshAccess } from '@vigie/contracts/credentials';
import { claimScans, reportScans, type Scanned, type SiteToRead } from '@vigie/contracts/site-looks';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import type { Worker } from 'bullmq';
import type { Connections } from '../connections';
import { openQueueWorker } from '../jobs/queue-worker';
import { inspectHere } from './inspect-here';
import { failureOf } from './site-host';

/** Batches at once; the sites of one start one after the other. */
const concurrency = 3;
const siteMs = 180_000;

/** Has each WordPress asked what it is and what it lacks. What is lost is asked again in the next round. */
export class Inspector implements OnApplicationBootstrap, OnApplicationShutdown {
  private worker: Worker<{ ids: string[] }> | undefined;
  private readonly over = new AbortController();

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys'>,
    private readonly redisUrl: string,
    private readonly connections: Connections,
  ) {}

  onApplicationBootstrap(): void {
    const take = ({ ids }: { ids: string[] }) => this.inspectAll(ids);
    this.worker = openQueueWorker(this.kit, this.redisUrl, { name: 'site-inspects', concurrency, take });
  }

  async onApplicationShutdown(): Promise<void> {
    this.over.abort();
    await this.worker?.close(true).catch(() => undefined);
  }

  private async inspectAll(ids: string[]): Promise<void> {
    const { groups } = await this.kit.bus.call(claimScans, { ids });
    for (const { access, sites } of groups) await this.inspectGroup(access, sites);
  }

  /** A host that does not let in for one of them does not for the next. */
  private async inspectGroup(access: SshAccess, sites: readonly SiteToRead[]): Promise<void> {
    for (const site of sites) {
      if (this.over.signal.aborted) return;
      const { item, isShut } = await this.inspect(access, site);
      if (item) await this.kit.bus.call(reportScans, { items: [item] });
      if (isShut) return;
    }
  }

  private async inspect(access: SshAccess, site: SiteToRead): Promise<{ item?: Scanned; isShut: boolean }> {
    const { id, version } = site;
    const signal = AbortSignal.any([this.over.signal, AbortSignal.timeout(siteMs)]);
    try {
      const work = (connection: Connection) => inspectHere(connection, site, signal);
      const found = await this.connections.use(access, { signal, work });
      return { item: { id, version, ...found, failure: null }, isShut: false };
    } catch (error) {
      const isShut = error instanceof SshFailure;
      const failure = isShut && error.kind === 'cancelled' ? undefined : failureOf(error);
      if (!failure) this.kit.log.warn({ err: error, site: id }, 'a site could not be inspected');
      return { ...(failure && { item: { id, version, facts: null, failure } }), isShut };
    }
  }
}
