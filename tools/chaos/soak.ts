import { setTimeout as sleep } from 'node:timers/promises';
import { resourcesOf } from '@vigie/testing/resources';
import { fr } from '../terminal';
import type { Finding } from './audit';
import { findGrowth, judgeProcesses, type ProcessReadings, describeProcess } from './soak-judge';
import type { Stage } from './stage';

const everyMs = 10_000;

/** Reads the resources of each process for as long as it runs. */
export class Soak {
  private readonly processes = new Map<number, ProcessReadings>();
  private readonly aborter = new AbortController();
  private readonly reading: Promise<void>;

  constructor(private readonly stage: Stage) {
    stage.spareOneOfEach();
    this.reading = this.readResources();
  }

  async end(): Promise<void> {
    this.aborter.abort();
    await this.reading;
  }

  /** Describes each process that ran long enough, and counts the others. */
  describe(): string[] {
    const judged = judgeProcesses([...this.processes.values()]);
    const short = this.processes.size - judged.length;
    return [
      ...judged.map(describeProcess),
      fr`${judged.length} vies de processus jugées, ${short} trop courtes pour l’être.`,
    ];
  }

  findings(): Finding[] {
    const apps = new Set(this.stage.product.processes.map(({ app }) => app));
    return findGrowth(judgeProcesses([...this.processes.values()]), [...apps]);
  }

  private async readResources(): Promise<void> {
    const { signal } = this.aborter;
    while (!signal.aborted) {
      for (const { app, process } of this.stage.product.processes.slice()) {
        const { pid } = process;
        const resources = await resourcesOf(process);
        if (!resources) continue;
        const readings = this.processes.get(pid) ?? { app, name: `${app} ${pid}`, readings: [] };
        readings.readings.push({ at: performance.now() / 1_000, ...resources });
        this.processes.set(pid, readings);
      }
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
