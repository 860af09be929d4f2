import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { claimSweep, reportSweep } from '@vigie/contracts/server-health';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { Worker } from 'bullmq';
import type { Connections } from '../connections';
import { openQueueWorker } from '../jobs/queue-worker';
import { lookAtHost } from './look-at-host';

/** Batches at once; the hosts of one are asked at once, and it lasts as long as the slowest of them. */
const concurrency = 16;

/** Looks how hosts are, a batch of them at a time. What is lost is looked at again in the next minute. */
export class Sweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private worker: Worker<{ ids: string[] }> | undefined;

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys'>,
    private readonly redisUrl: string,
    private readonly connections: Connections,
  ) {}

  onApplicationBootstrap(): void {
    const take = ({ ids }: { ids: string[] }) => this.sweep(ids);
    this.worker = openQueueWorker(this.kit, this.redisUrl, { name: 'sweeps', concurrency, take });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.close(true).catch(() => undefined);
  }

  private async sweep(ids: string[]): Promise<void> {
    const { items: due } = await this.kit.bus.call(claimSweep, { ids });
    const looks = due.map(async (access) => {
      const seen = await lookAtHost(this.connections, access).catch((error: unknown) => {
        this.kit.log.warn({ err: error, server: access.row.id }, 'a host could not be looked at');
      });
      return seen ? [{ ...seen, id: access.row.id, version: access.version }] : [];
    });
    const items = (await Promise.all(looks)).flat();
    if (items.length > 0) await this.kit.bus.call(reportSweep, { items });
  }
}
