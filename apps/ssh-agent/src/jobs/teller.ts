import { type ClaimedJob, noteJob, type Progress } from '@vigie/contracts/jobs';
import type { Bus } from '@vigie/service-kit/bus';

const everyMs = 1_000;
const mostLines = 200;
const longestLine = 4_000;
/** Of one message: as it travels a character may be six bytes. */
const mostChars = 100_000;
/** As long as the ledger keeps a log: what is told faster than it is taken is not kept for ever. */
const mostWaiting = 262_144;

/** Tells the ledger how far a job is, once a second at most. What is lost with the ledger away is only progress. */
export class Teller {
  private progress: Progress | null = null;
  private lines: string[] = [];
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<unknown> | undefined;

  constructor(
    private readonly bus: Pick<Bus, 'call'>,
    private readonly job: Pick<ClaimedJob, 'id' | 'fence'>,
  ) {}

  tell(progress: Progress | null, lines: readonly string[]): void {
    this.progress = progress ?? this.progress;
    for (const line of lines) this.keep(line.slice(0, longestLine));
    // The first word is said at once.
    if (!this.timer) this.say();
  }

  async end(): Promise<void> {
    clearTimeout(this.timer);
    await this.sending;
    while (await this.send());
  }

  private keep(line: string): void {
    if (this.waiting + line.length > mostWaiting) return;
    this.waiting += line.length + 1;
    this.lines.push(line);
  }

  /** One message at a time: a slow ledger is not told more and more at once. */
  private say(): void {
    this.sending ??= this.send().finally(() => {
      this.sending = undefined;
    });
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.progress !== null || this.lines.length > 0) this.say();
    }, everyMs);
  }

  /** Whether there was something, and it was heard. */
  private async send(): Promise<boolean> {
    const { progress } = this;
    const lines = this.take();
    if (progress === null && lines.length === 0) return false;
    this.progress = null;
    const { id, fence } = this.job;
    return this.bus.call(noteJob, { id, fence, progress, lines }).then(
      () => true,
      () => false,
    );
  }

  private take(): string[] {
    let chars = 0;
    const over = this.lines.findIndex((line, at) => {
      chars += line.length;
      return at >= mostLines || chars > mostChars;
    });
    const taken = this.lines.splice(0, over < 0 ? this.lines.length : over);
    this.waiting -= taken.reduce((total, line) => total + line.length + 1, 0);
    return taken;
  }
}
