import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { env } from '../env';
import { findDueDigest, planDigest, planNextDigest } from './digests';
import { findDueIncident, findInterestedChannels, planForChannel, planNext } from './plan-alerts';
import { isEndAwaited } from './wanted-alert';

const everyMs = 1_000;
/** In one pass, so that a stop need not wait for long. */
const maxPerPass = 200;

/** Decides what channels say of incidents, and makes the summaries of the day. */
@Injectable()
export class Planner implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly tasks = [
    new RepeatingTask(this.log, 'alerts could not be planned', () => this.repeat(() => this.planIncident())),
    new RepeatingTask(this.log, 'summaries could not be made', () => this.repeat(() => this.planDigest())),
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

  private async repeat(planOne: () => Promise<boolean>): Promise<void> {
    for (let left = maxPerPass; left > 0 && !this.isStopped; left -= 1) if (!(await planOne())) return;
  }

  /** Each channel is a transaction of its own: what fails for one keeps no other from saying it. */
  private async planIncident(): Promise<boolean> {
    const { manager } = this.database;
    const incident = await findDueIncident(manager);
    if (!incident) return false;
    const { id } = incident;
    let mayEnd = false;
    try {
      const channels = await findInterestedChannels(manager, id);
      mayEnd = channels.some(isEndAwaited);
      for (const channel of channels) {
        await this.database
          .transaction((transaction) => planForChannel(transaction, id, channel.id))
          .catch((error: unknown) => {
            mayEnd = true;
            this.log.warn({ err: error, incident: id, channel: channel.id }, 'an alert could not be planned');
          });
      }
    } catch (error) {
      mayEnd = true;
      this.log.warn({ err: error, incident: id }, 'alerts of an incident could not be planned');
    }
    // Whatever failed is tried again a minute later, and keeps no other incident waiting.
    await planNext(manager, incident, mayEnd);
    return true;
  }

  private async planDigest(): Promise<boolean> {
    const id = await findDueDigest(this.database.manager);
    if (id === undefined) return false;
    await this.database
      .transaction((manager) => planDigest(manager, id))
      .catch(async (error: unknown) => {
        this.log.warn({ err: error, channel: id }, 'a summary could not be made');
        await planNextDigest(this.database.manager, id);
      });
    return true;
  }
}
