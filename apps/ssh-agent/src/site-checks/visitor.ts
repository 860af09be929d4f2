import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { claimVisits, reportVisits } from '@vigie/contracts/site-checks';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { Worker } from 'bullmq';
import { openQueueWorker } from '../jobs/queue-worker';
import { ruleFor } from './rule-for';
import { statusOf, visitPage } from './visit';

/** Batches at once. The sites of a batch are visited at once, so it lasts as long as the slowest of them. */
const concurrency = 8;

/** Visits sites in batches, as any visitor does. A batch that is lost is visited again in the next round. */
export class Visitor implements OnApplicationBootstrap, OnApplicationShutdown {
  private worker: Worker<{ ids: string[] }> | undefined;

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys'>,
    private readonly redisUrl: string,
  ) {}

  onApplicationBootstrap(): void {
    const consume = ({ ids }: { ids: string[] }) => this.visitAll(ids);
    this.worker = openQueueWorker(this.kit, this.redisUrl, { name: 'site-visits', concurrency, consume });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.close(true).catch(() => undefined);
  }

  private async visitAll(ids: string[]): Promise<void> {
    const { items: sites } = await this.kit.bus.call(claimVisits, { ids });
    const visits = sites.map(async ({ id, url, ...owner }) => {
      const visit = await visitPage(url, ruleFor(owner));
      return visit.wasSkipped ? [] : [{ id, url, seen: statusOf(visit) }];
    });
    const items = (await Promise.all(visits)).flat();
    if (items.length > 0) await this.kit.bus.call(reportVisits, { items });
  }
}
