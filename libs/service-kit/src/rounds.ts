import type { Log } from './log';

/** What is done again and again, one pass at a time. One that fails is made up for by the next. */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  private isPassing = false;

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

  /** Now, unless a pass is under way. */
  async go(): Promise<void> {
    if (this.isPassing) return;
    this.isPassing = true;
    try {
      await this.pass();
    } catch (error) {
      this.log.warn({ err: error }, this.complaint);
    } finally {
      this.isPassing = false;
    }
  }
}
