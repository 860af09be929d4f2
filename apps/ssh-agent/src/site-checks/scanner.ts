import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { claimScans, reportScans } from '@vigie/contracts/site-checks';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { isUnrelatedToHost, SshFailure } from '@vigie/ssh/failure';
import type { Connection } from '@vigie/ssh/connection';
import type { Worker } from 'bullmq';
import type { Connections } from '../connections';
import { hideSecretIn } from '../credentials/hide-secret';
import { openQueueWorker } from '../jobs/queue-worker';
import { failureOf } from '../sites/site-host';
import { withTimeout } from './with-timeout';
import { splitReport } from './split-report';
import { inspectAll, type ReadSites, scanAll, type ReportScans } from './read-sites';
import { type ReadLimits, ReadQueue, type SiteGroup } from './read-queue';

type Group = Omit<SiteGroup, 'since'>;
type Reading = { read: ReadSites; ms: number };
type ScanQueue = Reading & { name: string; batches: number; limits: ReadLimits };

/** `batches`: how many are taken at once; the next one is taken when all groups of a batch have started. */
const scanQueues: ScanQueue[] = [
  {
    name: 'site-scans',
    batches: 4,
    read: scanAll,
    ms: 300_000,
    limits: { maxGroups: 80, maxPerHost: 4, maxLate: 20, lateMs: (sites) => 60_000 + sites * 1_000 },
  },
  {
    name: 'site-inspects',
    batches: 2,
    read: inspectAll,
    ms: 1_200_000,
    limits: { maxGroups: 2, maxPerHost: 2, maxLate: 1, lateMs: (sites) => 60_000 + sites * 20_000 },
  },
];
/** A group that waited longer is claimed again, since its access may have changed. */
const maxWaitMs = 10_000;

/** Reads sites periodically, all that share a connection together. A reading that is lost is repeated in the next round. */
export class Scanner implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly workers: Worker[] = [];
  private readonly queues: ReadQueue[] = [];
  private readonly shutdown = new AbortController();

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys'>,
    private readonly redisUrl: string,
    private readonly connections: Connections,
  ) {}

  onApplicationBootstrap(): void {
    for (const { name, batches: concurrency, limits, ...reading } of scanQueues) {
      const queue = new ReadQueue(limits, (group) => this.read(group, reading));
      const consume = async ({ ids }: { ids: string[] }) => queue.add(await this.claim(ids));
      this.queues.push(queue);
      this.workers.push(openQueueWorker(this.kit, this.redisUrl, { name, concurrency, consume }));
    }
  }

  async onApplicationShutdown(): Promise<void> {
    for (const queue of this.queues) queue.close();
    this.shutdown.abort();
    await Promise.all(this.workers.map((worker) => worker.close(true).catch(() => undefined)));
  }

  private async claim(ids: string[]): Promise<Group[]> {
    const { groups } = await this.kit.bus.call(claimScans, { ids });
    return groups;
  }

  private async read(waitingGroup: SiteGroup, { read, ms }: Reading): Promise<void> {
    const { shutdown } = this;
    try {
      const isFresh = performance.now() - waitingGroup.since < maxWaitMs;
      const groups = isFresh ? [waitingGroup] : await this.claim(waitingGroup.sites.map(({ id }) => id));
      for (const group of groups) {
        await withTimeout({ shutdown: shutdown.signal, ms }, (signal) => this.readWithin(signal, group, read));
      }
    } catch (error) {
      this.kit.log.warn({ err: error, row: waitingGroup.access.row.id }, 'sites could not be read');
    }
  }

  private async readWithin(signal: AbortSignal, { access, sites }: Group, read: ReadSites): Promise<void> {
    const reportedIds = new Set<string>();
    const report: ReportScans = async (items) => {
      for (const part of splitReport(items)) await this.kit.bus.call(reportScans, { items: part });
      for (const { id } of items) reportedIds.add(id);
    };
    try {
      const target = await this.connections.targetOf(access);
      const reportHidden: ReportScans = (items) => report(hideSecretIn(items, target));
      const work = (connection: Connection) => read(connection, sites, { signal, report: reportHidden });
      await this.connections.use(access, { signal, work });
    } catch (error) {
      if (error instanceof SshFailure && isUnrelatedToHost(error)) return;
      const failure = failureOf(error);
      if (!failure) return this.kit.log.warn({ err: error, row: access.row.id }, 'sites could not be read');
      const rest = sites.filter(({ id }) => !reportedIds.has(id));
      await report(rest.map(({ id, version }) => ({ id, version, logins: access.logins, facts: null, failure })));
    }
  }
}
