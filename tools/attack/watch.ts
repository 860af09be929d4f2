import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { TestProduct } from '@vigie/testing/product';
import type { Life, Reading } from '../chaos/soak-judge';
import { openFiles, readProc, residentMegabytes } from '../proc';

const everyMs = 250;
/** A probe that waits longer would have the product taken for dead. */
export const latestProbeMs = 1_000;
/** What processes hold is read less often. */
const noteEachMs = 1_000;

/** Looks at the processes from outside while they are attacked. */
export class Watch {
  /** The longest wait for a probe, but for what this process and the machine were late by themselves. */
  slowest = 0;
  private readonly readings = new Map<string, Reading[]>();
  private readonly pids: ReadonlyMap<string, number>;
  private readonly over = new AbortController();
  private readonly own = monitorEventLoopDelay({ resolution: 10 });
  private readonly looking: Promise<void>;

  constructor(private readonly product: TestProduct) {
    this.pids = new Map(product.processes.map(({ app, process }) => [app, process.pid]));
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
    return [...this.pids].flatMap(([name, pid]) => (residentMegabytes(pid) === undefined ? [name] : []));
  }

  /** What each of them held, all along. */
  lives(): Life[] {
    return [...this.readings].map(([app, readings]) => ({ app, name: app, readings }));
  }

  private async look(): Promise<void> {
    let due = 0;
    while (!this.over.signal.aborted) {
      if (performance.now() >= due) {
        for (const [name, pid] of this.pids) this.note(name, pid);
        due = performance.now() + noteEachMs;
      }
      await this.probe();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  private note(name: string, pid: number): void {
    const [megabytes, files] = [residentMegabytes(pid), openFiles(pid)];
    if (megabytes === undefined || !files) return;
    const readings = this.readings.get(name) ?? [];
    readings.push({ at: performance.now() / 1_000, megabytes, ...files });
    this.readings.set(name, readings);
  }

  private queuedMs(): number {
    return queuedNs(this.pids.get('gateway') ?? 0) / 1e6;
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
