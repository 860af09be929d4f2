import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { reportGateway } from '@vigie/contracts/health';
import type { Bus } from '@vigie/service-kit/bus';
import type { Log } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';

/** A report that failed is made again sooner, since after 90 s without one no sign of life is given. */
const [everyMs, againMs] = [30_000, 10_000];

/** Says that this gateway lives: no other process can ask it. */
export class GatewayReports implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: RepeatingTask;
  private dueAt = 0;

  constructor(
    private readonly bus: Bus,
    log: Log,
  ) {
    this.task = new RepeatingTask(log, 'the gateway could not report that it lives', () => this.report());
  }

  onApplicationBootstrap(): void {
    this.task.start(againMs);
    void this.task.runNow();
  }

  onApplicationShutdown(): void {
    this.task.stop();
  }

  private async report(): Promise<void> {
    const now = performance.now();
    if (now < this.dueAt) return;
    await this.bus.call(reportGateway, {});
    // Timers may be early by a moment.
    this.dueAt = now + everyMs - againMs / 2;
  }
}
