import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource, type EntityManager } from 'typeorm';
import { env } from '../env';
import { planNextDigest } from './digests';
import { planNextIncident } from './plan-alerts';

const everyMs = 1_000;
/** In one pass, so that a stop need not wait for long. */
const maxPerPass = 200;

/** Decides what channels say of incidents, and makes the summaries of the day. */
@Injectable()
export class Planner implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly tasks = [
    new RepeatingTask(this.log, 'alerts could not be planned', () =>
      this.repeat((manager) =>
        planNextIncident(manager, (err, about) => this.log.warn({ err, ...about }, 'an alert could not be planned')),
      ),
    ),
    new RepeatingTask(this.log, 'summaries could not be made', () => this.repeat(planNextDigest)),
  ];
  private isStopped = false;

  constructor(private readonly database: DataSource) {}

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start(everyMs);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.tasks.map((task) => task.drain()));
  }

  private async repeat(planNext: (manager: EntityManager) => Promise<boolean>): Promise<void> {
    for (let left = maxPerPass; left > 0 && !this.isStopped; left -= 1)
      if (!(await this.database.transaction(planNext))) return;
  }
}
