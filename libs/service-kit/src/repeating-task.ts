import type { Log } from './log';

/** Repeats a task, one pass at a time. A failed pass is logged, and the next one makes up for it. */
export class RepeatingTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly log: Log,
    private readonly failureMessage: string,
    private readonly pass: () => Promise<void>,
  ) {}

  start(everyMs: number): void {
    this.timer = setInterval(() => void this.runNow(), everyMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async drain(): Promise<void> {
    this.stop();
    await this.running;
  }

  async runNow(): Promise<void> {
    if (this.running) return;
    this.running = this.passOnce().finally(() => {
      this.running = undefined;
    });
    await this.running;
  }

  private async passOnce(): Promise<void> {
    try {
      await this.pass();
    } catch (error) {
      this.log.warn({ err: error }, this.failureMessage);
    }
  }
}
