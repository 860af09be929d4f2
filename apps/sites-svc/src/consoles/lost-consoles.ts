import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { env } from '../env';
import { endConsoles } from './end-consoles';

const everyMs = 5_000;
/** An agent that is silent for this long has lost its shells. */
const leaseSeconds = 20;
const keptDays = 365;

/** Ends the consoles of dead agents, and deletes old records. */
@Injectable()
export class LostConsoles implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly task = new RepeatingTask(this.log, 'lost consoles could not be ended', () => this.run());
  private healthySince = performance.now();

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(everyMs);
  }

  onApplicationShutdown(): void {
    this.task.stop();
  }

  private async run(): Promise<void> {
    try {
      await this.database.query('delete from console_tickets where expires_at < now()');
      // After an outage of the database or the bus, agents need time to renew their consoles.
      const healthyMs = Math.min(performance.now() - this.healthySince, this.bus.connectedMs);
      if (healthyMs > leaseSeconds * 1_000) await this.endSilent();
    } catch (error) {
      this.healthySince = performance.now();
      throw error;
    }
  }

  private async endSilent(): Promise<void> {
    await this.database.transaction(async (manager) => {
      const isSilent = 'renewed_at < now() - make_interval(secs => $2)';
      await endConsoles(manager, isSilent, 'agent_lost', [leaseSeconds]);
      await manager.query('delete from consoles where ended_at < now() - make_interval(days => $1)', [keptDays]);
    });
  }
}
