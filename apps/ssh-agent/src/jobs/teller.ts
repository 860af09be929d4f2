import { type ClaimedJob, noteJob, type Progress } from '@vigie/contracts/jobs';
import type { Bus } from '@vigie/service-kit/bus';

const everyMs = 1_000;
const mostLines = 200;
const longestLine = 4_000;

/** Tells the ledger how far a job is, once a second at most. What is lost with the ledger away is only progress. */
export class Teller {
  private progress: Progress | null = null;
  private lines: string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly bus: Bus,
    private readonly job: ClaimedJob,
  ) {}

  tell(progress: Progress | null, lines: readonly string[]): void {
    this.progress = progress ?? this.progress;
    this.lines.push(...lines.map((line) => line.slice(0, longestLine)));
    if (this.timer) return;
    // The first word is said at once.
    this.send();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.progress !== null || this.lines.length > 0) this.tell(null, []);
    }, everyMs);
  }

  async end(): Promise<void> {
    clearTimeout(this.timer);
    this.send();
    await this.sending;
  }

  private send(): void {
    const { id, fence } = this.job;
    const { progress } = this;
    if (progress === null && this.lines.length === 0) return;
    const lines = this.lines.splice(0, mostLines);
    this.progress = null;
    this.sending = this.sending.then(() =>
      this.bus.call(noteJob, { id, fence, progress, lines }).then(
        () => undefined,
        () => undefined,
      ),
    );
  }
}
