import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { readDomain } from '@vigie/contracts/domains';
import { AppError } from '@vigie/contracts/errors';
import { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { env } from '../env';
import { haveSitesLeft } from '../incidents/domain-causes';
import { updateIncidents } from '../incidents/update-incidents';
import { countKnownEnds } from './domain-conditions';
import { claimDomain, type DueDomain, releaseDomain, saveDomain } from './due-domains';
import { linkSites } from './link-sites';

/** Registries see no more than a question a second. */
const everyMs = 1_000;
const linkEveryMs = 5_000;
const countEveryMs = 3_600_000;
/** While no agent answers, or none can find out whom to ask. */
const [awayMs, lostMs] = [60_000, 600_000];

/** Finds out, once a day for each registered domain, when it ends. */
@Injectable()
export class DomainReader implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly task = new RepeatingTask(this.log, 'a domain could not be read', () => this.pass());
  private linkAt = 0;
  private countAt = 0;
  private askAt = 0;

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(everyMs);
  }

  /** The answer to a question that is open is lost. */
  onApplicationShutdown(): void {
    this.task.stop();
  }

  private async pass(): Promise<void> {
    const now = performance.now();
    if (now >= this.linkAt) {
      this.linkAt = now + linkEveryMs;
      const mayChange = await linkSites(this.database);
      if (mayChange || (await haveSitesLeft(this.database.manager))) await updateIncidents(this.database);
      if (now >= this.countAt) await this.countAgain(now);
    }
    const domain = now >= this.askAt ? await claimDomain(this.database) : undefined;
    if (domain) await this.read(domain);
  }

  /** Days pass, and a process that was killed may have counted what nobody looked at. */
  private async countAgain(now: number): Promise<void> {
    await countKnownEnds(this.database);
    await updateIncidents(this.database);
    this.countAt = now + countEveryMs;
  }

  private async read(domain: DueDomain): Promise<void> {
    try {
      const answer = await this.bus.call(readDomain, { name: domain.name });
      if (answer.state === 'failed' && answer.server === null) this.pause(lostMs);
      if (await saveDomain(this.database, domain, answer)) await updateIncidents(this.database);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.pause(awayMs);
      await releaseDomain(this.database, domain);
    }
  }

  private pause(ms: number): void {
    this.askAt = performance.now() + ms;
  }
}
