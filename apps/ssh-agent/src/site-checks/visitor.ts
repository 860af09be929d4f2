import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { claimVisits, reportVisits, type Visit } from '@vigie/contracts/site-checks';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { Worker } from 'bullmq';
import { openQueueWorker } from '../jobs/queue-worker';
import { judgeContent, wholePage } from './content';
import type { NetworkCheck } from './network-check';
import { ruleFor } from './rule-for';
import { statusOf, visitPage } from './visit';
import { VisitReports, type VisitResult } from './visit-reports';

/**
 * Batches at once. A batch lasts as long as its slowest site, which is ten seconds, and seven batches of 25 a second make
 * 10,000 sites a minute: this many batches keep up even when each of them has a site that does not answer.
 */
const concurrency = 120;

type Options = { redisUrl: string; network: NetworkCheck };

/** Visits sites in batches, as any visitor does. What is lost is visited again in the next round. */
export class Visitor implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly reports = new VisitReports({
    send: (results) => this.report(results),
    onFailure: (error, { length }) => this.kit.log.warn({ err: error, visits: length }, 'visits could not be reported'),
  });
  private worker: Worker<{ ids: string[] }> | undefined;

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys'>,
    private readonly options: Options,
  ) {}

  onApplicationBootstrap(): void {
    const consume = ({ ids }: { ids: string[] }) => this.visitAll(ids);
    this.worker = openQueueWorker(this.kit, this.options.redisUrl, { name: 'site-visits', concurrency, consume });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.close(true).catch(() => undefined);
  }

  /** Resolves when all visits of the batch have been reported, whatever other batches do meanwhile. */
  private async visitAll(ids: string[]): Promise<void> {
    const { items: sites } = await this.kit.bus.call(claimVisits, { ids });
    await Promise.all(sites.map((site) => this.visit(site)));
  }

  private async visit({ id, url, expected, ...owner }: Visit): Promise<void> {
    const visited = await visitPage(url, ruleFor(owner), expected?.expected_text ? wholePage : {});
    const { certificate, addresses, wasSkipped } = visited;
    if (wasSkipped) return;
    const content = expected && (await judgeContent(expected, visited));
    await this.reports.add({ id, url, seen: statusOf(visited), certificate, content, addresses });
  }

  private async report(items: VisitResult[]): Promise<void> {
    const network = await this.options.network.stateFor(items);
    await this.kit.bus.call(reportVisits, { items, network });
  }
}
