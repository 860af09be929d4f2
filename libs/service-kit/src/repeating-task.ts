import type { Log } from './log';

/** Repeats a task, one pass at a time. A failed pass is logged, and the next one makes up for it. */
export class RepeatingTask {
  private timer: NodeJS.Timeout | undefined;
  private passing: Promise<void> | undefined;

  constructor(
    private readonly log: Log,
    private readonly complaint: string,
    private readonly pass: () => Promise<void>,
  ) {}

  start(everyMs: number): void {
    this.timer = setInterval(() => void this.go(), everyMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Starts no further pass, and waits for the current one. */
  async drain(): Promise<void> {
    this.stop();
    await this.passing;
  }

  /** Runs a pass now, unless one is running. */
  async go(): Promise<void> {
    if (this.passing) return;
    this.passing = this.passOnce().finally(() => {
      this.passing = undefined;
    });
    await this.passing;
  }

  private async passOnce(): Promise<void> {
    try {
      await this.pass();
    } catch (error) {
      this.log.warn({ err: error }, this.complaint);
    }
  }
}
