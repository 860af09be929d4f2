import type { HeldResources } from '@vigie/testing/resources';
import { median } from '../bench/statistics';
import { fr } from '../terminal';
import type { Finding } from './audit';

/** What one process holds at a moment, in seconds. */
export type Reading = HeldResources & { at: number };
type Measure = keyof HeldResources;
const measures: readonly Measure[] = ['megabytes', 'descriptors', 'connections'];

/** How one of them goes, from the middle of the warm life of a process to its end. */
type Course = { measure: Measure; first: number; last: number; perHour: number; isFlat: boolean };

/** Code is compiled, pools and caches are filled. */
const warmUpSeconds = 60;
/** Less says nothing of what comes after it. */
const minSeconds = 120;
const slices = 8;
/** What may be more at the end than in the middle: as much, or such a share. The longer it lasts the less a leak hides. */
const allowed: Record<Measure, { by: number; share: number }> = {
  megabytes: { by: 8, share: 0.1 },
  descriptors: { by: 6, share: 0.1 },
  connections: { by: 6, share: 0.1 },
};

/** A process of one of the apps, since somebody looked at it; and what it holds once nobody wants anything any more. */
export type Life = { app: string; name: string; readings: Reading[]; rest?: HeldResources | undefined };
export type JudgedLife = { app: string; name: string; minutes: number; courses: Course[] };

/** Those that lasted long enough to tell. */
export const judgeLives = (lives: readonly Life[]): JudgedLife[] =>
  lives.flatMap(({ app, name, readings, rest }) => {
    const courses = judgeLife(readings, rest);
    const seconds = (readings.at(-1)?.at ?? 0) - (readings[0]?.at ?? 0);
    return courses ? [{ app, name, minutes: Math.round(seconds / 60), courses }] : [];
  });

/** What holds more and more; and the apps of which nobody lived long enough, since nothing was shown of them. */
export function growing(judged: readonly JudgedLife[], apps: readonly string[]): Finding[] {
  const unseen = apps.filter((name) => !judged.some(({ app }) => app === name));
  return [
    ...judged.flatMap((life) =>
      life.courses
        .filter((course) => !course.isFlat && !isOnItsWay(life, course, judged))
        .map((course) => ({ what: 'croît', id: `${life.name} ${tell(course)}` })),
    ),
    ...unseen.map((app) => ({ what: 'croît', id: `${app} : aucune vie assez longue` })),
  ];
}

/** To where one of the same app, which lived twice as long, stayed. */
const isOnItsWay = ({ app, minutes }: JudgedLife, { measure, last }: Course, judged: readonly JudgedLife[]) =>
  judged.some(
    (other) =>
      other.app === app &&
      other.minutes >= 2 * minutes &&
      other.courses.some((course) => course.measure === measure && course.isFlat && course.last >= last),
  );

/** A line for whoever reads how a life went. */
export const lifeLine = ({ name, minutes, courses }: JudgedLife): string =>
  `${name}, ${minutes} min : ${courses.map(tell).join(', ')}`;

const words: Record<Measure, string> = { megabytes: 'Mo', descriptors: 'descripteurs', connections: 'connexions' };

function tell({ measure, first, last, perHour, isFlat }: Course): string {
  const range = `${Math.round(first)} → ${Math.round(last)} ${words[measure]}`;
  return isFlat ? range : fr`${range} (✗ ${perHour.toFixed(0)} par heure)`;
}

/** Undefined where the process did not live long enough to tell. */
export function judgeLife(readings: readonly Reading[], rest?: HeldResources): Course[] | undefined {
  const born = readings[0]?.at ?? 0;
  const warm = readings.filter(({ at }) => at - born >= warmUpSeconds);
  const [from, to] = [warm[0]?.at ?? 0, warm.at(-1)?.at ?? 0];
  const middle = (from + to) / 2;
  if (to - middle < minSeconds) return undefined;
  const half = warm.filter(({ at }) => at >= middle);
  return measures.map((measure) => courseOf(measure, lowest(half, measure, middle, to), rest));
}

type Point = { at: number; value: number };

/** The least of each slice: what is left when idle connections were closed. */
function lowest(half: readonly Reading[], measure: Measure, from: number, to: number): Point[] {
  const width = (to - from) / slices;
  return Array.from({ length: slices }, (_, n) => n).flatMap((n) => {
    const own = half.filter(({ at }) => Math.min(slices - 1, Math.floor((at - from) / width)) === n);
    return own.length === 0
      ? []
      : [{ at: from + (n + 0.5) * width, value: Math.min(...own.map((one) => one[measure])) }];
  });
}

/** By the median of all slopes between two of them: one that stands out does not turn the line. */
function courseOf(measure: Measure, points: readonly Point[], rest?: HeldResources): Course {
  const slopes = points.flatMap((one, n) =>
    points.slice(n + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  );
  const perSecond = slopes.length === 0 ? 0 : median(slopes);
  const [first, last] = [points[0], points.at(-1)];
  const seconds = (last?.at ?? 0) - (first?.at ?? 0);
  const value = first?.value ?? 0;
  const { by, share } = allowed[measure];
  const more = Math.max(by, share * value);
  const isFlat = perSecond * seconds <= more || (rest !== undefined && rest[measure] <= value + more);
  return { measure, first: value, last: last?.value ?? 0, perHour: perSecond * 3_600, isFlat };
}
