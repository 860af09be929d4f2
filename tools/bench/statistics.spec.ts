import { describe, expect, it } from 'vitest';
import { areaByChance, areaUnderCurve, median, quantile } from './statistics';

describe('the median', () => {
  it('is the middle one, or between the two in the middle', () => {
    expect([median([9, 1, 5]), median([4, 1, 9, 2])]).toEqual([5, 3]);
    expect(median([])).toBeNaN();
  });
});

describe('a quantile', () => {
  it('is one of the values, in whatever order they come', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([100, 198, 200]);
    expect(quantile([], 0.5)).toBe(0);
  });
});

describe('the area under the ROC curve', () => {
  it.each([
    ['always tells the larger', [3, 4], [1, 2], 1],
    ['always tells the smaller', [1, 2], [3, 4], 0],
    ['does not tell the same apart', [1, 2, 3], [1, 2, 3], 0.5],
    ['counts ties by half', [1, 1], [1, 0], 0.75],
    ['weighs samples of different sizes', [2], [1, 3, 4, 5], 0.25],
  ])('%s', (_name, first, second, area) => {
    expect(areaUnderCurve(first, second)).toBe(area);
  });

  it('is, by chance, nearer to a half the more there is', () => {
    expect(areaByChance(500, 500)).toBeCloseTo(0.0358, 4);
    expect(areaByChance(5_000, 5_000)).toBeLessThan(areaByChance(50, 50));
  });
});
