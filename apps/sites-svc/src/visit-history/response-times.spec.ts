import { expect, it } from 'vitest';
import { percentile } from './response-times';

const histogram = (counts: Readonly<Record<number, number>>) => Array.from({ length: 15 }, (_, at) => counts[at] ?? 0);

it('finds percentiles within the ranges that the answers fall into', () => {
  expect(percentile(histogram({}), 0.5)).toBeNull();
  // All between 100 and 150 ms.
  expect(percentile(histogram({ 2: 10 }), 0.5)).toBe(125);
  expect(percentile(histogram({ 2: 10 }), 0.95)).toBe(148);
  // Nine of ten below 50 ms, one between one and one and a half seconds.
  expect(percentile(histogram({ 0: 9, 9: 1 }), 0.5)).toBe(28);
  expect(percentile(histogram({ 0: 9, 9: 1 }), 0.95)).toBe(1_250);
  // The last range is open.
  expect(percentile(histogram({ 14: 3 }), 0.95)).toBe(10_000);
});
