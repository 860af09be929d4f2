import { describe, expect, it } from 'vitest';
import type { UptimePoint } from '@vigie/contracts/uptime';
import { drawFailures, drawLine, pointAt, roundTop, scales, timeTicks } from './draw';

const hourMs = 3_600_000;
const from = Date.parse('2026-03-03T00:00:00Z');
const size = { width: 256 + 48 + 8, height: 138 };

const aPoint = (hour: number, fields: Partial<UptimePoint> = {}): UptimePoint => ({
  at: new Date(from + hour * hourMs).toISOString(),
  ups: 12,
  downs: 0,
  others: 0,
  p50: 50,
  p95: 100,
  ...fields,
});

const aSpan = (...points: UptimePoint[]) => ({
  from: new Date(from).toISOString(),
  to: new Date(from + 16 * hourMs).toISOString(),
  step_seconds: 3_600,
  points,
});

describe('the line of the answers', () => {
  it('has a gap where a step is missing or had no good answer', () => {
    const span = aSpan(aPoint(0), aPoint(1), aPoint(3), aPoint(4, { p50: null, p95: null }), aPoint(5));
    expect(drawLine(span, size, 'p50')).toBe('M56 58L72 58M104 58h0M136 58h0');
  });

  it('reaches the top of the drawing with its highest value only', () => {
    const { y, top } = scales(aSpan(aPoint(0, { p95: 180 })), size);
    expect([top, y(0), y(200)]).toEqual([200, 108, 8]);
  });

  it('is empty without points', () => {
    expect(drawLine(aSpan(), size, 'p95')).toBe('');
    expect(pointAt(aSpan(), size, 100)).toBeUndefined();
  });
});

it('rounds the top of the axis up', () => {
  expect([0, 100, 101, 420, 800, 1_001].map(roundTop)).toEqual([100, 100, 150, 500, 1_000, 1_500]);
});

it('marks the steps that had failed checks', () => {
  expect(drawFailures(aSpan(aPoint(0), aPoint(2, { downs: 1 })), size)).toEqual([{ x: 80, width: 16 }]);
});

it('finds the point under the pointer', () => {
  const span = aSpan(aPoint(0), aPoint(4));
  expect(pointAt(span, size, 60)).toBe(span.points[0]);
  expect(pointAt(span, size, 300)).toBe(span.points[1]);
});

it.each([
  [1, 312],
  [7, 312],
  [30, 700],
  [90, 700],
])('names the times of %i days where there is room for them', (days, width) => {
  const span = { from: new Date(from).toISOString(), to: new Date(from + days * 24 * hourMs).toISOString() };
  const ticks = timeTicks(span, width);
  expect(ticks.length).toBeGreaterThan(1);
  expect(ticks.length).toBeLessThanOrEqual((width - 56) / 72 + 1);
  expect(ticks.every((at) => at >= from && at <= Date.parse(span.to))).toBe(true);
});
