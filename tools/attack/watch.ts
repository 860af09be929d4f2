import { monitorEventLoopDelay } from 'node:perf_hooks';
import { resourcesOf } from '@vigie/testing/resources';
import type { TestProduct } from '@vigie/testing/product';
import { growing, judgeLives, type Life } from '../chaos/soak-judge';
import { readProc, residentMegabytes } from '../proc';
import { waitFor } from '../start/wait';

const everyMs = 250;
/** A probe that waits longer would have the product taken for dead. */
export const latestProbeMs = 1_000;
/** What processes hold is read less often. */
const noteEachMs = 10_000;
/** Connections to hosts are kept for five minutes after their last use. */
const restMs = 330_000;

/** Looks at the processes from outside while they are attacked. */
export class Watch {
  /** The longest wait for a probe, but for what this process and the machine were late by themselves. */
  slowest = 0;
  /** What each of them held, all along. */
  readonly lives: readonly Life[];
  private readonly over = new AbortController();
  private readonly own = monitorEventLoopDelay({ resolution: 10 });
  private readonly looking: Promise<void>;

  /** Of a short attack nothing could be told by what they hold. */
  constructor(
    private readonly product: TestProduct,
    private readonly isShort: boolean,
  ) {
    this.lives = product.processes.map(({ app }) => ({ app, name: app, readings: [] }));
    this.own.enable();
    this.looking = this.look();
  }

  async end(): Promise<void> {
    this.over.abort();
    await this.looking;
    this.own.disable();
  }

  /** Those that are no more. */
  gone(): string[] {
    return this.product.processes.flatMap(({ app, process }) =>
      residentMegabytes(process.pid) === undefined ? [app] : [],
    );
  }

  /** Waits, where something grew, whether it is given back once nobody asks for anything. */
  async rest(): Promise<void> {
    const isFlat = async () => {
      if (growing(judgeLives(this.lives), []).length === 0) return true;
      for (const [at, { process }] of this.product.processes.entries()) {
        const life = this.lives[at];
        if (life) life.rest = await resourcesOf(process);
      }
      return false;
    };
    await waitFor(isFlat, { timeoutMs: restMs, everyMs: noteEachMs });
  }

  private async look(): Promise<void> {
    let due = 0;
    while (!this.over.signal.aborted) {
      if (!this.isShort && performance.now() >= due) {
        await this.note();
        due = performance.now() + noteEachMs;
      }
      await this.probe();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  private async note(): Promise<void> {
    for (const [at, { process }] of this.product.processes.entries()) {
      const held = await resourcesOf(process);
      if (held) this.lives[at]?.readings.push({ at: performance.now() / 1_000, ...held });
    }
  }

  private queuedMs(): number {
    return queuedNs(this.product.of('gateway')[0]?.pid ?? 0) / 1e6;
  }

  private async probe(): Promise<void> {
    this.own.reset();
    const queued = this.queuedMs();
    const since = performance.now();
    const status = await this.product.request('GET', '/api/health/live').then(
      (answer) => answer.status,
      () => 0,
    );
    const ms =
      status === 200
        ? performance.now() - since - this.own.max / 1e6 - (this.queuedMs() - queued)
        : Number.POSITIVE_INFINITY;
    this.slowest = Math.max(this.slowest, ms);
  }
}

/** How long a process was ready to run, and others had the processors: the second number is in nanoseconds. */
const queuedNs = (pid: number) => Number(readProc(`${pid}/schedstat`).split(' ')[1] ?? 0);
