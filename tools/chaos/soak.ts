import { setTimeout as sleep } from 'node:timers/promises';
import { resourcesOf } from '@vigie/testing/resources';
import { fr } from '../terminal';
import type { Finding } from './audit';
import { growing, judgeLives, type Life, lifeLine } from './soak-judge';
import type { Stage } from './stage';

const everyMs = 10_000;

/** Looks at what each process of ours holds, for as long as it lives: one that was started anew begins anew. */
export class Soak {
  private readonly lives = new Map<number, Life>();
  private readonly over = new AbortController();
  private readonly looking: Promise<void>;

  constructor(private readonly stage: Stage) {
    stage.spareOneOfEach();
    this.looking = this.look();
  }

  async end(): Promise<void> {
    this.over.abort();
    await this.looking;
  }

  /** A line for each life that was long enough, and how many were not. */
  lines(): string[] {
    const judged = judgeLives([...this.lives.values()]);
    const short = this.lives.size - judged.length;
    return [...judged.map(lifeLine), fr`${judged.length} vies de processus jugées, ${short} trop courtes pour l’être.`];
  }

  findings(): Finding[] {
    const apps = new Set(this.stage.product.processes.map(({ app }) => app));
    return growing(judgeLives([...this.lives.values()]), [...apps]);
  }

  private async look(): Promise<void> {
    const { signal } = this.over;
    while (!signal.aborted) {
      for (const { app, process } of this.stage.product.processes.slice()) {
        const { pid } = process;
        const held = await resourcesOf(process);
        if (!held) continue;
        const life = this.lives.get(pid) ?? { app, name: `${app} ${pid}`, readings: [] };
        life.readings.push({ at: performance.now() / 1_000, ...held });
        this.lives.set(pid, life);
      }
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
