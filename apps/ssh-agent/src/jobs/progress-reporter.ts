import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@vigie/contracts/errors';
import { type ClaimedJob, noteJob, type Progress } from '@vigie/contracts/jobs';
import type { Bus } from '@vigie/service-kit/bus';
import { runInContext } from '@vigie/service-kit/context';
import { mayHaveArrived } from '@vigie/service-kit/failures';

const intervalMs = 1_000;
const maxLines = 200;
const maxLineChars = 4_000;
/** Length of the log lines in one message, in which JSON may write a character as six bytes. */
const maxChars = 100_000;
/** The length of a log in the ledger: more lines than that would be dropped there anyway. */
const maxQueuedChars = 262_144;
const unsureLine = 'Des lignes peuvent manquer ici\u00a0: leur enregistrement n’a pas été confirmé.';
const droppedLine =
  'Des lignes manquent ici\u00a0: elles arrivaient plus vite qu’elles ne pouvaient être enregistrées.';

type Line = { text: string; offset: number };

/** Reports the progress of a job to the ledger, once a second at most. Lines wait while the ledger is away. */
export class ProgressReporter {
  private progress: Progress | null = null;
  private lines: Line[] = [];
  /** The byte of the host's progress file up to which lines were reported. */
  private offset: number;
  private isRepeated = false;
  /** The next worker may find a checkpoint of this one. */
  hasCheckpoint = false;
  private queuedChars = 0;
  /** Lines were dropped from the front of the queue. */
  private hasDropped = false;
  /** No answer came to a message with lines: the ledger may have stored them, so they are not sent twice. */
  private isUnsure = false;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<unknown> | undefined;

  constructor(
    private readonly bus: Pick<Bus, 'call'>,
    private readonly job: Pick<ClaimedJob, 'id' | 'fence' | 'heard'>,
  ) {
    this.offset = job.heard;
  }

  report(progress: Progress | null, lines: readonly string[]): void {
    this.progress = progress ?? this.progress;
    if (!this.isRepeated) for (const line of lines) this.enqueue(line.slice(0, maxLineChars));
    // The first report is sent at once.
    if (!this.timer) this.flush();
  }

  /** Reports only the progress of output that this worker or another has read before. */
  reportAt(offset: number, send: () => void): void {
    this.isRepeated = offset <= this.offset;
    this.offset = Math.max(this.offset, offset);
    send();
    this.isRepeated = false;
  }

  /** Unlike a report, a checkpoint is sent until the ledger has stored or refused it, or `signal` is aborted. */
  async saveCheckpoint(checkpoint: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const { id, fence } = this.job;
    this.hasCheckpoint = true;
    for (;;) {
      signal.throwIfAborted();
      try {
        await this.bus.call(noteJob, { id, fence, progress: null, lines: [], memo: checkpoint });
        return;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
        await wait(intervalMs, undefined, { signal });
      }
    }
  }

  /**
   * Sends the lines that are left, while the job is still of this worker. Nobody sees the last progress of an attempt that
   * is over.
   */
  async end(leaseSignal: AbortSignal): Promise<void> {
    clearTimeout(this.timer);
    await this.sending;
    while (this.lines.length > 0 || this.isUnsure) {
      const { length } = this.lines;
      if (await this.send()) continue;
      const isRefused = this.lines.length < length && !this.isUnsure;
      if (isRefused || leaseSignal.aborted) return;
      await wait(intervalMs, undefined, { signal: leaseSignal }).catch(() => undefined);
    }
  }

  private enqueue(line: string): void {
    this.queuedChars += line.length + 1;
    this.lines.push({ text: line, offset: this.offset });
    this.dropOldest();
  }

  /** The oldest lines go first: the last ones say how the job ended. */
  private dropOldest(): void {
    while (this.queuedChars > maxQueuedChars) {
      this.queuedChars -= (this.lines.shift()?.text.length ?? 0) + 1;
      this.hasDropped = true;
    }
  }

  /** Sends one message at a time, so that a slow ledger does not get ever more of them. */
  private flush(): void {
    // A host's output may arrive in the context of another job; and a report a second would flood the trace.
    this.sending ??= runInContext({ requestId: this.job.id }, () => this.send()).finally(() => {
      this.sending = undefined;
    });
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.progress !== null || this.lines.length > 0) this.flush();
    }, intervalMs);
  }

  /** Whether there was anything to send, and the ledger took it. */
  private async send(): Promise<boolean> {
    const { progress } = this;
    const batch = this.dequeue();
    if (this.isUnsure) batch.unshift({ text: unsureLine, offset: batch[0]?.offset ?? this.offset });
    const lines = batch.map(({ text }) => text);
    if (progress === null && lines.length === 0) return false;
    this.isUnsure = false;
    this.progress = null;
    const { id, fence } = this.job;
    // Lines that are still queued are not in the log yet.
    const heard = Math.max(0, (this.lines[0]?.offset ?? this.offset + 1) - 1);
    return this.bus.call(noteJob, { id, fence, progress, lines, heard }).then(
      () => true,
      (error: unknown) => {
        this.keepUnsent(batch, error);
        return false;
      },
    );
  }

  /** Puts lines back that the ledger has not stored. One that refuses them would do so again. */
  private keepUnsent(batch: readonly Line[], error: unknown): void {
    if (batch.length === 0 || !(error instanceof AppError) || error.code !== 'unavailable') return;
    if (mayHaveArrived(error)) this.isUnsure = true;
    else {
      this.lines.unshift(...batch);
      this.queuedChars += batch.reduce((total, { text }) => total + text.length + 1, 0);
      this.dropOldest();
    }
  }

  private dequeue(): Line[] {
    let chars = 0;
    const end = this.lines.findIndex(({ text }, at) => {
      chars += text.length;
      return at >= maxLines || chars > maxChars;
    });
    const batch = this.lines.splice(0, end < 0 ? this.lines.length : end);
    this.queuedChars -= batch.reduce((total, { text }) => total + text.length + 1, 0);
    const [first] = batch;
    if (!first || !this.hasDropped) return batch;
    this.hasDropped = false;
    return [{ text: droppedLine, offset: first.offset }, ...batch];
  }
}
