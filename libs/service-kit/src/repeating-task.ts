import type { Log } from './log';

/** What is done again and again, one pass at a time. One that fails is made up for by the next. */
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

  /** No pass begins any more, and the one that is under way has come to its end. */
  async drain(): Promise<void> {
    this.stop();
    await this.passing;
  }

  /** Now, unless a pass is under way. */
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
