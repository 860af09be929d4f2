import { monitorEventLoopDelay } from 'node:perf_hooks';
import { resourcesOf } from '@vigie/testing/resources';
import type { TestProduct } from '@vigie/testing/product';
import { findGrowth, judgeProcesses, type ProcessReadings } from '../chaos/soak-judge';
import { readProc, residentMegabytes } from '../proc';
import { waitFor } from '../start/wait';

const everyMs = 250;
/** With a slower probe, an orchestrator would consider the product dead. */
export const maxProbeMs = 1_000;
const readEveryMs = 10_000;
/** Idle connections to hosts close after five minutes. */
const restMs = 330_000;

export class ProcessMonitor {
  /** The slowest probe, without the delays of this process and of the machine. */
  slowestProbeMs = 0;
  readonly processes: readonly ProcessReadings[];
  private readonly aborter = new AbortController();
  private readonly ownDelay = monitorEventLoopDelay({ resolution: 10 });
  private readonly monitoring: Promise<void>;

  /** A short attack reads no resources, because growth would not show. */
  constructor(
    private readonly product: TestProduct,
    private readonly isShort: boolean,
  ) {
    this.processes = product.processes.map(({ app }) => ({ app, name: app, readings: [] }));
    this.ownDelay.enable();
    this.monitoring = this.monitor();
  }

  async end(): Promise<void> {
    this.aborter.abort();
    await this.monitoring;
    this.ownDelay.disable();
  }

  deadProcesses(): string[] {
    return this.product.processes.flatMap(({ app, process }) =>
      residentMegabytes(process.pid) === undefined ? [app] : [],
    );
  }

  /** If a resource grew, waits whether it is released once the product is idle. */
  async waitForRelease(): Promise<void> {
    const isReleased = async () => {
      if (findGrowth(judgeProcesses(this.processes), []).length === 0) return true;
      for (const [index, { process }] of this.product.processes.entries()) {
        const readings = this.processes[index];
        if (readings) readings.idle = await resourcesOf(process);
      }
      return false;
    };
    await waitFor(isReleased, { timeoutMs: restMs, everyMs: readEveryMs });
  }

  private async monitor(): Promise<void> {
    let due = 0;
    while (!this.aborter.signal.aborted) {
      if (!this.isShort && performance.now() >= due) {
        await this.readResources();
        due = performance.now() + readEveryMs;
      }
      await this.probe();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  private async readResources(): Promise<void> {
    for (const [index, { process }] of this.product.processes.entries()) {
      const resources = await resourcesOf(process);
      if (resources) this.processes[index]?.readings.push({ at: performance.now() / 1_000, ...resources });
    }
  }

  private queuedMs(): number {
    return queuedNs(this.product.processesOf('gateway')[0]?.pid ?? 0) / 1e6;
  }

  private async probe(): Promise<void> {
    this.ownDelay.reset();
    const queued = this.queuedMs();
    const startedAt = performance.now();
    const status = await this.product.request('GET', '/api/health/live').then(
      (answer) => answer.status,
      () => 0,
    );
    const ms =
      status === 200
        ? performance.now() - startedAt - this.ownDelay.max / 1e6 - (this.queuedMs() - queued)
        : Number.POSITIVE_INFINITY;
    this.slowestProbeMs = Math.max(this.slowestProbeMs, ms);
  }
}

/** How long a process waited for a processor, in nanoseconds: the second number of schedstat. */
const queuedNs = (pid: number) => Number(readProc(`${pid}/schedstat`).split(' ')[1] ?? 0);
