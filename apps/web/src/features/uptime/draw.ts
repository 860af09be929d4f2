import type { Uptime, UptimePoint } from '@vigie/contracts/uptime';

type Span = Pick<Uptime, 'from' | 'to' | 'step_seconds'> & { points: readonly UptimePoint[] };
type Size = { width: number; height: number };

/** In pixels: the room of the labels at the left and below, and of the failures under the base line. */
export const margins = { top: 8, right: 8, bottom: 30, left: 48 } as const;
export const failureHeight = 6;

const round = (value: number) => Math.round(value * 10) / 10;

/** 100, 150, 200, 300, 500, 1 000…: the least of them that is not below the value. */
export function roundTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 100)));
  return power * ([1, 1.5, 2, 3, 5].find((factor) => factor * power >= value) ?? 10);
}

/** Where times and milliseconds stand in the drawing. */
export function scales({ from, to, points }: Span, { width, height }: Size) {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const top = roundTop(Math.max(0, ...points.map(({ p95, p50 }) => p95 ?? p50 ?? 0)));
  const [innerWidth, innerHeight] = [
    Math.max(1, width - margins.left - margins.right),
    height - margins.top - margins.bottom,
  ];
  return {
    start,
    end,
    top,
    // The first step began before the span, and the last one is not over.
    x: (at: number) => {
      const share = (Math.min(end, Math.max(start, at)) - start) / Math.max(1, end - start);
      return round(margins.left + share * innerWidth);
    },
    y: (ms: number) => round(margins.top + innerHeight - (ms / top) * innerHeight),
  };
}

/** The middle of the time that a point stands for. */
export const timeOf = ({ at }: UptimePoint, { step_seconds: step }: Pick<Span, 'step_seconds'>): number =>
  Date.parse(at) + step * 500;

/** A step that was checked late may begin a little later. */
const maxSteps = 1.5;

/** One path of the measures, with a gap where nothing was measured, and a dot for a measure between two gaps. */
export function drawLine(span: Span, size: Size, field: 'p50' | 'p95'): string {
  const { x, y } = scales(span, size);
  const runs: string[][] = [];
  let previous: number | undefined;
  for (const point of span.points) {
    const at = timeOf(point, span);
    const value = point[field];
    const isJoined = previous !== undefined && at - previous <= maxSteps * span.step_seconds * 1_000;
    previous = value === null ? undefined : at;
    if (value === null) continue;
    const place = `${x(at)} ${y(value)}`;
    if (isJoined) runs.at(-1)?.push(place);
    else runs.push([place]);
  }
  return runs.map((places) => (places.length === 1 ? `M${places[0]}h0` : `M${places.join('L')}`)).join('');
}

/** Where a step had failed checks: a block under the base line. */
export function drawFailures(span: Span, size: Size) {
  const { x } = scales(span, size);
  const stepMs = span.step_seconds * 1_000;
  return span.points.flatMap(({ at, downs }) => {
    if (downs === 0) return [];
    const left = x(Date.parse(at));
    return [{ x: left, width: Math.max(2, round(x(Date.parse(at) + stepMs) - left)) }];
  });
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The pixels that a label needs. */
const labelWidth = 72;

/** The times that the axis names: full hours of a day, and days of anything longer. */
export function timeTicks({ from, to }: Pick<Span, 'from' | 'to'>, width: number): number[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const most = Math.max(2, Math.floor((width - margins.left - margins.right) / labelWidth));
  const isDay = end - start <= 1.5 * dayMs;
  const stride = isDay
    ? ([3, 6, 12].find((hours) => 24 / hours <= most) ?? 24)
    : Math.ceil((end - start) / dayMs / most);
  const tick = new Date(start);
  tick.setHours(0, 0, 0, 0);
  const ticks: number[] = [];
  while (tick.getTime() <= end) {
    if (tick.getTime() >= start) ticks.push(tick.getTime());
    if (isDay) tick.setHours(tick.getHours() + stride);
    else tick.setDate(tick.getDate() + (tick.getTime() >= start ? stride : 1));
  }
  return ticks;
}

/** The point nearest to a place in the drawing. */
export function pointAt(span: Span, size: Size, left: number): UptimePoint | undefined {
  const { x } = scales(span, size);
  const distance = (point: UptimePoint) => Math.abs(x(timeOf(point, span)) - left);
  return span.points.reduce<UptimePoint | undefined>(
    (nearest, point) => (nearest && distance(nearest) <= distance(point) ? nearest : point),
    undefined,
  );
}
