import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { TestProduct } from '@vigie/testing/product';
import { readProc, residentMegabytes } from '../bench/proc';

const everyMs = 250;
/** A probe that waits longer would have the product taken for dead. */
export const latestProbeMs = 1_000;
/** What a process may grow by, from when it is warm to the end. */
const [mostGrowth, mostShare] = [96, 0.35];

type Sample = { at: number; megabytes: number };
export type Memory = { name: string; first: number; last: number; perTenThousand: number; isFlat: boolean };

/** Looks at the processes from outside while they are attacked. */
export class Watch {
  /** The longest wait for a probe, but for what this process and the machine were late by themselves. */
  slowest = 0;
  private readonly samples = new Map<string, Sample[]>();
  private readonly pids: ReadonlyMap<string, number>;
  private readonly over = new AbortController();
  private readonly own = monitorEventLoopDelay({ resolution: 10 });
  private readonly looking: Promise<void>;

  constructor(
    private readonly product: TestProduct,
    private readonly sent: () => number,
  ) {
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

  memory(): Memory[] {
    return [...this.samples].map(([name, samples]) => ({ name, ...growthOf(samples) }));
  }

  private async look(): Promise<void> {
    while (!this.over.signal.aborted) {
      for (const [name, pid] of this.pids) this.note(name, residentMegabytes(pid));
      await this.probe();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  private note(name: string, megabytes: number | undefined): void {
    if (megabytes === undefined) return;
    const samples = this.samples.get(name) ?? [];
    samples.push({ at: this.sent(), megabytes });
    this.samples.set(name, samples);
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

/** The least of a while each: what a collection of garbage leaves is what a process holds. */
export function growthOf(samples: readonly Sample[]): Omit<Memory, 'name'> {
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
  const least = (some: readonly Sample[]) => Math.min(...some.map(({ megabytes }) => megabytes));
  const [warm, late] = [part(0.3, 0.5), part(0.8, 1)];
  const [first, last] = [least(warm), least(late)];
  const requests = (late.at(-1)?.at ?? 0) - (warm[0]?.at ?? 0);
  const perTenThousand = requests > 0 ? ((last - first) / requests) * 10_000 : 0;
  return { first, last, perTenThousand, isFlat: last - first <= Math.max(mostGrowth, first * mostShare) };
}
