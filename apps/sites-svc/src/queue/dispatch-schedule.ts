import { Injectable } from '@nestjs/common';
import { jobsAdded } from '@vigie/contracts/jobs';
import { Bus } from '@vigie/service-kit/bus';

const tickMs = 1_000;
/** Waits after a hint, so that many hints cause one dispatch. */
const hintDelayMs = 30;

/** Decides when the dispatcher runs: every second, and soon after any replica has announced jobs. */
@Injectable()
export class DispatchSchedule {
  private dispatch: (() => Promise<void>) | undefined;
  private tick: NodeJS.Timeout | undefined;
  private hint: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly bus: Bus) {}

  start(dispatch: () => Promise<void>): void {
    this.dispatch = dispatch;
    this.tick = setInterval(() => this.run(), tickMs);
    this.bus.subscribe(jobsAdded, () => this.hurry());
  }

  stop(): void {
    this.isStopped = true;
    clearInterval(this.tick);
    clearTimeout(this.hint);
  }

  /** Dispatches now instead of at the next tick, in all replicas. Call it after the commit: a dispatch reads the rows. */
  announce(): void {
    this.hurry();
    this.bus.publish(jobsAdded, {});
  }

  private hurry(): void {
    if (!this.isStopped) this.hint ??= setTimeout(() => this.run(), hintDelayMs);
  }

  private run(): void {
    this.hint = undefined;
    if (!this.isStopped) void this.dispatch?.();
  }
}
