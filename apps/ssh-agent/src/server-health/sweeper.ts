import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { claimSweep, reportSweep } from '@vigie/contracts/server-health';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { Worker } from 'bullmq';
import type { Connections } from '../connections';
import { openQueueWorker } from '../jobs/queue-worker';
import { probeHost } from './probe-host';

/** Batches at once. The hosts of a batch are probed at once, so it lasts as long as the slowest of them. */
const concurrency = 16;

/** Probes hosts in batches. A batch that is lost is probed again in the next minute. */
export class Sweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private worker: Worker<{ ids: string[] }> | undefined;

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys'>,
    private readonly redisUrl: string,
    private readonly connections: Connections,
  ) {}

  onApplicationBootstrap(): void {
    const consume = ({ ids }: { ids: string[] }) => this.sweep(ids);
    this.worker = openQueueWorker(this.kit, this.redisUrl, { name: 'sweeps', concurrency, consume });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.close(true).catch(() => undefined);
  }

  private async sweep(ids: string[]): Promise<void> {
    const { items: servers } = await this.kit.bus.call(claimSweep, { ids });
    const probes = servers.map(async (access) => {
      const { row, version, logins } = access;
      const probe = await probeHost(this.connections, access).catch((error: unknown) => {
        this.kit.log.warn({ err: error, server: row.id }, 'a host could not be probed');
      });
      return probe ? [{ ...probe, id: row.id, version, logins }] : [];
    });
    const items = (await Promise.all(probes)).flat();
    if (items.length > 0) await this.kit.bus.call(reportSweep, { items });
  }
}
