import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@vigie/contracts/errors';
import { type ClaimedJob, noteJob, type Progress } from '@vigie/contracts/jobs';
import type { Bus } from '@vigie/service-kit/bus';
import { runInContext } from '@vigie/service-kit/context';

const everyMs = 1_000;
const maxLines = 200;
const longestLine = 4_000;
/** Of log lines in one message: as it travels a character may be six bytes. */
const maxChars = 100_000;
/** As long as the ledger keeps a log: what is told faster than it is taken is not kept for ever. */
const maxWaiting = 262_144;
const missingLine =
  'Ici manquent des lignes\u00a0: elles ont été dites plus vite qu’elles ne pouvaient être enregistrées.';

type Line = { text: string; place: number };

/** Tells the ledger how far a job is, once a second at most. What is lost with the ledger away is only progress. */
export class Teller {
  private progress: Progress | null = null;
  private lines: Line[] = [];
  /** Where in the progress file of its host what is told now was said. */
  private place: number;
  private isKnown = false;
  /** Whoever comes next may find a memo of this worker. */
  hasKept = false;
  private waiting = 0;
  /** Lines were dropped from the front of the queue. */
  private isMissing = false;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<unknown> | undefined;

  constructor(
    private readonly bus: Pick<Bus, 'call'>,
    private readonly job: Pick<ClaimedJob, 'id' | 'fence' | 'heard'>,
  ) {
    this.place = job.heard;
  }

  tell(progress: Progress | null, lines: readonly string[]): void {
    this.progress = progress ?? this.progress;
    if (!this.isKnown) for (const line of lines) this.keep(line.slice(0, longestLine));
    // The first word is said at once.
    if (!this.timer) this.say();
  }

  /** Of what was heard before, by this worker or another, only the progress is told again. */
  hear(place: number, telling: () => void): void {
    this.isKnown = place <= this.place;
    this.place = Math.max(this.place, place);
    telling();
    this.isKnown = false;
  }

  /** Not as what is only told: until it is kept, or refused, or nobody may wait for it any more. */
  async remember(memo: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const { id, fence } = this.job;
    this.hasKept = true;
    for (;;) {
      signal.throwIfAborted();
      try {
        await this.bus.call(noteJob, { id, fence, progress: null, lines: [], memo });
        return;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
        await wait(everyMs, undefined, { signal });
      }
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.timer);
    await this.sending;
    while (await this.send());
  }

  private keep(line: string): void {
    this.waiting += line.length + 1;
    this.lines.push({ text: line, place: this.place });
    // What is said last says how it ended.
    while (this.waiting > maxWaiting) {
      this.waiting -= (this.lines.shift()?.text.length ?? 0) + 1;
      this.isMissing = true;
    }
  }

  /** One message at a time: a slow ledger is not told more and more at once. */
  private say(): void {
    // Hosts speak on connections that other jobs opened, and once a second is no step of a trace.
    this.sending ??= runInContext({ requestId: this.job.id }, () => this.send()).finally(() => {
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
    const lines = this.take().map(({ text }) => text);
    if (progress === null && lines.length === 0) return false;
    this.progress = null;
    const { id, fence } = this.job;
    // What waits is not in the log yet.
    const heard = Math.max(0, (this.lines[0]?.place ?? this.place + 1) - 1);
    return this.bus.call(noteJob, { id, fence, progress, lines, heard }).then(
      () => true,
      () => false,
    );
  }

  private take(): Line[] {
    let chars = 0;
    const over = this.lines.findIndex(({ text }, at) => {
      chars += text.length;
      return at >= maxLines || chars > maxChars;
    });
    const taken = this.lines.splice(0, over < 0 ? this.lines.length : over);
    this.waiting -= taken.reduce((total, { text }) => total + text.length + 1, 0);
    const [first] = taken;
    if (!first || !this.isMissing) return taken;
    this.isMissing = false;
    return [{ text: missingLine, place: first.place }, ...taken];
  }
}
