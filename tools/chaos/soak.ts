import { openFiles, residentMegabytes } from '../proc';
import { fr } from '../terminal';
import type { Finding } from './audit';
import { growing, judgeLives, type Life, lifeLine } from './soak-judge';
import type { Stage } from './stage';

const everyMs = 5_000;

/** Looks at what each process of ours holds, for as long as it lives: one that was started anew begins anew. */
export class Soak {
  private readonly lives = new Map<number, Life>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly stage: Stage) {
    stage.spareOneOfEach();
    this.timer = setInterval(() => this.look(), everyMs).unref();
  }

  end(): void {
    clearInterval(this.timer);
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

  private look(): void {
    const at = performance.now() / 1_000;
    for (const { app, process } of this.stage.product.processes) {
      const { pid } = process;
      const [megabytes, files] = [residentMegabytes(pid), openFiles(pid)];
      if (megabytes === undefined || !files) continue;
      const life = this.lives.get(pid) ?? { app, name: `${app} ${pid}`, readings: [] };
      life.readings.push({ at, megabytes, ...files });
      this.lives.set(pid, life);
    }
  }
}
