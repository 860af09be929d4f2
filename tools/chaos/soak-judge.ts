import type { ProcessResources } from '@vigie/testing/resources';
import { median } from '../bench/statistics';
import { fr } from '../terminal';
import type { Finding } from './audit';

/** The resources of a process at a time in seconds. */
export type Reading = ProcessResources & { at: number };
type Resource = keyof ProcessResources;
const resources: readonly Resource[] = ['megabytes', 'descriptors', 'connections'];

/** The trend of a resource in the second half of the time after warm-up. */
type Trend = { resource: Resource; first: number; last: number; perHour: number; isFlat: boolean };

/** During warm-up code is compiled, and pools and caches fill. */
const warmUpSeconds = 60;
/** A shorter time does not show a trend. */
const minSeconds = 120;
const slices = 8;
/** The tolerated growth, absolute or as a share. Even a small leak exceeds it in a long run. */
const tolerances: Record<Resource, { by: number; share: number }> = {
  megabytes: { by: 8, share: 0.1 },
  descriptors: { by: 6, share: 0.1 },
  connections: { by: 6, share: 0.1 },
};

/** The readings of a process, and its resources once the product is idle. */
export type ProcessReadings = { app: string; name: string; readings: Reading[]; idle?: ProcessResources | undefined };
export type JudgedProcess = { app: string; name: string; minutes: number; trends: Trend[] };

export const judgeProcesses = (processes: readonly ProcessReadings[]): JudgedProcess[] =>
  processes.flatMap(({ app, name, readings, idle }) => {
    const trends = judgeReadings(readings, idle);
    const seconds = (readings.at(-1)?.at ?? 0) - (readings[0]?.at ?? 0);
    return trends ? [{ app, name, minutes: Math.round(seconds / 60), trends }] : [];
  });

/** Reports growing resources, and apps without a process that ran long enough. */
export function findGrowth(judged: readonly JudgedProcess[], apps: readonly string[]): Finding[] {
  const unjudged = apps.filter((name) => !judged.some(({ app }) => app === name));
  return [
    ...judged.flatMap((judgedProcess) =>
      judgedProcess.trends
        .filter((trend) => !trend.isFlat && !isWarmingUp(judgedProcess, trend, judged))
        .map((trend) => ({ kind: 'croît', id: `${judgedProcess.name} ${describeTrend(trend)}` })),
    ),
    ...unjudged.map((app) => ({ kind: 'croît', id: `${app} : aucune vie assez longue` })),
  ];
}

/** Whether a process that ran twice as long is stable at a higher level. */
const isWarmingUp = ({ app, minutes }: JudgedProcess, { resource, last }: Trend, judged: readonly JudgedProcess[]) =>
  judged.some(
    (other) =>
      other.app === app &&
      other.minutes >= 2 * minutes &&
      other.trends.some((trend) => trend.resource === resource && trend.isFlat && trend.last >= last),
  );

export const describeProcess = ({ name, minutes, trends }: JudgedProcess): string =>
  `${name}, ${minutes} min : ${trends.map(describeTrend).join(', ')}`;

const unitNames: Record<Resource, string> = { megabytes: 'Mo', descriptors: 'descripteurs', connections: 'connexions' };

function describeTrend({ resource, first, last, perHour, isFlat }: Trend): string {
  const range = `${Math.round(first)} → ${Math.round(last)} ${unitNames[resource]}`;
  return isFlat ? range : fr`${range} (✗ ${perHour.toFixed(0)} par heure)`;
}

/** Returns undefined if the process did not run long enough. */
export function judgeReadings(readings: readonly Reading[], idle?: ProcessResources): Trend[] | undefined {
  const startedAt = readings[0]?.at ?? 0;
  const warm = readings.filter(({ at }) => at - startedAt >= warmUpSeconds);
  const [from, to] = [warm[0]?.at ?? 0, warm.at(-1)?.at ?? 0];
  const middle = (from + to) / 2;
  if (to - middle < minSeconds) return undefined;
  const secondHalf = warm.filter(({ at }) => at >= middle);
  return resources.map((resource) => computeTrend(resource, findMinima(secondHalf, resource, middle, to), idle));
}

type Point = { at: number; value: number };

/** The minimum of each slice, when idle connections are closed. */
function findMinima(secondHalf: readonly Reading[], resource: Resource, from: number, to: number): Point[] {
  const width = (to - from) / slices;
  return Array.from({ length: slices }, (_, n) => n).flatMap((n) => {
    const sliceReadings = secondHalf.filter(({ at }) => Math.min(slices - 1, Math.floor((at - from) / width)) === n);
    return sliceReadings.length === 0
      ? []
      : [{ at: from + (n + 0.5) * width, value: Math.min(...sliceReadings.map((first) => first[resource])) }];
  });
}

/** Uses the median of the slopes between all pairs of points, which ignores outliers. */
function computeTrend(resource: Resource, points: readonly Point[], idle?: ProcessResources): Trend {
  const slopes = points.flatMap((first, n) =>
    points.slice(n + 1).map((other) => (other.value - first.value) / (other.at - first.at)),
  );
  const perSecond = slopes.length === 0 ? 0 : median(slopes);
  const [first, last] = [points[0], points.at(-1)];
  const seconds = (last?.at ?? 0) - (first?.at ?? 0);
  const value = first?.value ?? 0;
  const { by, share } = tolerances[resource];
  const tolerance = Math.max(by, share * value);
  const isFlat = perSecond * seconds <= tolerance || (idle !== undefined && idle[resource] <= value + tolerance);
  return { resource, first: value, last: last?.value ?? 0, perHour: perSecond * 3_600, isFlat };
}
