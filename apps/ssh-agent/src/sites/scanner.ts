import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { SshAccess } from '@vigie/contracts/credentials';
import { claimScans, reportScans, type SiteToRead } from '@vigie/contracts/site-looks';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { SshFailure } from '@vigie/ssh/failure';
import type { Worker } from 'bullmq';
import type { Connections } from '../connections';
import { openQueueWorker } from '../jobs/queue-worker';
import { inParts } from './parts';
import { inspectAll, type ReadSites, scanAll, type Tell } from './read-sites';
import { failureOf } from './site-host';

/** Batches at once; the hosts of one are asked at once. */
const queues: { name: string; concurrency: number; read: ReadSites; ms: number }[] = [
  { name: 'site-scans', concurrency: 4, read: scanAll, ms: 300_000 },
  { name: 'site-inspects', concurrency: 2, read: inspectAll, ms: 1_200_000 },
];

/** Reads sites of which nobody asked, all of one way in one go. What is lost is read again in the next round. */
export class Scanner implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly workers: Worker[] = [];
  private readonly over = new AbortController();

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys'>,
    private readonly redisUrl: string,
    private readonly connections: Connections,
  ) {}

  onApplicationBootstrap(): void {
    for (const { name, concurrency, ...way } of queues) {
      const take = ({ ids }: { ids: string[] }) => this.look(ids, way);
      this.workers.push(openQueueWorker(this.kit, this.redisUrl, { name, concurrency, take }));
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.over.abort();
    await Promise.all(this.workers.map((worker) => worker.close(true).catch(() => undefined)));
  }

  private async look(ids: string[], way: Way): Promise<void> {
    const { groups } = await this.kit.bus.call(claimScans, { ids });
    await Promise.all(groups.map(({ access, sites }) => this.read(access, sites, way)));
  }

  private async read(access: SshAccess, sites: readonly SiteToRead[], { read, ms }: Way): Promise<void> {
    const signal = AbortSignal.any([this.over.signal, AbortSignal.timeout(ms)]);
    const told = new Set<string>();
    const tell: Tell = async (items) => {
      for (const part of inParts(items)) await this.kit.bus.call(reportScans, { items: part });
      for (const { id } of items) told.add(id);
    };
    try {
      await this.connections.use(access, { signal, work: (connection) => read(connection, sites, { signal, tell }) });
    } catch (error) {
      // It only took too long for whoever asks.
      if (error instanceof SshFailure && error.kind === 'cancelled') return;
      const failure = failureOf(error);
      if (!failure) return this.kit.log.warn({ err: error, row: access.row.id }, 'sites could not be read');
      const rest = sites.filter(({ id }) => !told.has(id));
      await tell(rest.map(({ id, version }) => ({ id, version, facts: null, failure })));
    }
  }
}

type Way = { read: ReadSites; ms: number };
