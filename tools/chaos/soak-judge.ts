import { median } from '../bench/statistics';

/** What one process holds at a moment, in seconds. */
export type Reading = { at: number; megabytes: number; descriptors: number; connections: number };
export type Measure = Exclude<keyof Reading, 'at'>;
const measures: readonly Measure[] = ['megabytes', 'descriptors', 'connections'];

/** How one of them goes, from the middle of the warm life of a process to its end. */
export type Course = { measure: Measure; first: number; last: number; perHour: number; isFlat: boolean };

/** Code is compiled, pools and caches are filled. */
const warmUpSeconds = 60;
/** Less says nothing of what comes after it. */
const leastSeconds = 120;
const slices = 8;
/** What may be more at the end than in the middle: as much, or such a share. The longer it lasts the less a leak hides. */
const allowed: Record<Measure, { by: number; share: number }> = {
  megabytes: { by: 24, share: 0.12 },
  descriptors: { by: 6, share: 0.1 },
  connections: { by: 6, share: 0.1 },
};

/** Undefined where the process did not live long enough to tell. */
export function judgeLife(readings: readonly Reading[]): Course[] | undefined {
  const born = readings[0]?.at ?? 0;
  const warm = readings.filter(({ at }) => at - born >= warmUpSeconds);
  const [from, to] = [warm[0]?.at ?? 0, warm.at(-1)?.at ?? 0];
  const middle = (from + to) / 2;
  if (to - middle < leastSeconds) return undefined;
  const half = warm.filter(({ at }) => at >= middle);
  return measures.map((measure) => courseOf(measure, lowest(half, measure, middle, to)));
}

type Point = { at: number; value: number };

/** The least of each slice: what is left when garbage was collected and idle connections were closed. */
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
function courseOf(measure: Measure, points: readonly Point[]): Course {
  const slopes = points.flatMap((one, n) =>
    points.slice(n + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  );
  const perSecond = slopes.length === 0 ? 0 : median(slopes);
  const [first, last] = [points[0], points.at(-1)];
  const seconds = (last?.at ?? 0) - (first?.at ?? 0);
  const { by, share } = allowed[measure];
  const isFlat = perSecond * seconds <= Math.max(by, share * (first?.value ?? 0));
  return { measure, first: first?.value ?? 0, last: last?.value ?? 0, perHour: perSecond * 3_600, isFlat };
}
