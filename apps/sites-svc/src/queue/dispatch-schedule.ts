import { Injectable } from '@nestjs/common';
import { jobsAdded } from '@vigie/contracts/jobs';
import { Bus } from '@vigie/service-kit/bus';

const tickMs = 1_000;
/** Time between two dispatches, and between two events, so that many hints cause one. */
const minPauseMs = 30;
/** A tick is soon enough for jobs that wait longer. */
const maxWaitMs = 60_000;
/** An announcement also comes back from the bus. */
const minDelayMs = 5;

/** Decides when the dispatcher runs: every second, and soon after any replica has announced jobs. */
@Injectable()
export class DispatchSchedule {
  private dispatch: (() => Promise<void>) | undefined;
  private tick: NodeJS.Timeout | undefined;
  private hint: NodeJS.Timeout | undefined;
  private publication: NodeJS.Timeout | undefined;
  private dispatchedAt = -minPauseMs;
  private publishedAt = -minPauseMs;
  private isDispatching = false;
  private isStopped = false;

  constructor(private readonly bus: Bus) {}

  start(dispatch: () => Promise<void>): void {
    this.dispatch = dispatch;
    this.tick = setInterval(() => void this.run(), tickMs);
    this.bus.subscribe(jobsAdded, () => this.hurry());
  }

  stop(): void {
    this.isStopped = true;
    clearInterval(this.tick);
    clearTimeout(this.hint);
    clearTimeout(this.publication);
  }

  /** Dispatches now instead of at the next tick, in all replicas. Call it after the commit: a dispatch reads the rows. */
  announce(): void {
    this.hurry();
    const pauseMs = this.publishedAt + minPauseMs - performance.now();
    // A timer could fire when the bus is closed.
    if (pauseMs <= 0 || this.isStopped) this.publish();
    else this.publication ??= setTimeout(() => this.publish(), pauseMs);
  }

  /** Dispatches when the wait of a job is over. A tick would be late for it by half a second. */
  dispatchAfter(ms: number): void {
    if (ms > 0 && ms < maxWaitMs) setTimeout(() => this.hurry(), ms).unref();
  }

  /** One event for all announcements of a pause, because each is signed here and verified by every replica. */
  private publish(): void {
    this.publication = undefined;
    this.publishedAt = performance.now();
    this.bus.publish(jobsAdded, {});
  }

  private hurry(): void {
    if (this.isStopped) return;
    const pauseMs = this.isDispatching ? minPauseMs : this.dispatchedAt + minPauseMs - performance.now();
    this.hint ??= setTimeout(() => void this.run(), Math.max(minDelayMs, pauseMs));
  }

  private async run(): Promise<void> {
    clearTimeout(this.hint);
    this.hint = undefined;
    if (this.isStopped) return;
    // A dispatch that has begun may have read the rows already.
    if (this.isDispatching) return this.hurry();
    this.isDispatching = true;
    try {
      await this.dispatch?.();
    } finally {
      this.isDispatching = false;
      this.dispatchedAt = performance.now();
    }
  }
}
