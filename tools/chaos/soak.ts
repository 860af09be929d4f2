import { openFiles, residentMegabytes } from '../bench/proc';
import { fr } from '../start/console';
import type { Finding } from './audit';
import { type Course, judgeLife, type Measure, type Reading } from './soak-judge';
import type { Stage } from './stage';

const everyMs = 5_000;

type Life = { name: string; readings: Reading[] };

/** Looks at what each process of ours holds, for as long as it lives: one that was started anew begins anew. */
export class Soak {
  private readonly lives = new Map<number, Life>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly stage: Stage) {
    this.timer = setInterval(() => this.look(), everyMs).unref();
  }

  end(): void {
    clearInterval(this.timer);
  }

  /** A line for each life that was long enough, and how many were not. */
  lines(): string[] {
    const judged = this.judged();
    const short = this.lives.size - judged.length;
    return [
      ...judged.map(({ name, minutes, courses }) => `${name}, ${minutes} min : ${courses.map(tell).join(', ')}`),
      fr`${judged.length} vies de processus jugées, ${short} trop courtes pour l’être.`,
    ];
  }

  /** What holds more and more. A soak in which nobody lived long enough has shown nothing. */
  findings(): Finding[] {
    const judged = this.judged();
    const growing = judged.flatMap(({ name, courses }) =>
      courses.filter(({ isFlat }) => !isFlat).map((course) => ({ what: 'croît', id: `${name} ${tell(course)}` })),
    );
    return judged.length > 0 ? growing : [{ what: 'croît', id: 'aucune vie assez longue' }];
  }

  private look(): void {
    const at = performance.now() / 1_000;
    for (const { app, process } of this.stage.product.processes) {
      const { pid } = process;
      const [megabytes, files] = [residentMegabytes(pid), openFiles(pid)];
      if (megabytes === undefined || !files) continue;
      const life = this.lives.get(pid) ?? { name: `${app} ${pid}`, readings: [] };
      life.readings.push({ at, megabytes, ...files });
      this.lives.set(pid, life);
    }
  }

  private judged(): { name: string; minutes: number; courses: Course[] }[] {
    return [...this.lives.values()].flatMap(({ name, readings }) => {
      const courses = judgeLife(readings);
      const seconds = (readings.at(-1)?.at ?? 0) - (readings[0]?.at ?? 0);
      return courses ? [{ name, minutes: Math.round(seconds / 60), courses }] : [];
    });
  }
}

const words: Record<Measure, string> = { megabytes: 'Mo', descriptors: 'descripteurs', connections: 'connexions' };

function tell({ measure, first, last, perHour, isFlat }: Course): string {
  const range = `${Math.round(first)} → ${Math.round(last)} ${words[measure]}`;
  return isFlat ? range : fr`${range} (✗ ${perHour.toFixed(0)} par heure)`;
}
