import { describe, expect, it } from 'vitest';
import { areaByChance, areaUnderCurve, median, medians, quantile } from './statistics';

describe('the median', () => {
  it('is the middle value, or the mean of the two middle values', () => {
    expect([median([9, 1, 5]), median([4, 1, 9, 2])]).toEqual([5, 3]);
    expect(median([])).toBeNaN();
  });
});

describe('the medians of samples', () => {
  it('are those of each figure, whichever sample has it', () => {
    const samples = [
      { ms: 1, bytes: 9 },
      { ms: 3, bytes: 7 },
      { ms: 2, bytes: 8 },
    ];
    expect(medians(samples)).toEqual({ ms: 2, bytes: 8 });
    expect(() => medians([])).toThrow('nothing was measured');
  });
});

describe('a quantile', () => {
  it('is one of the values, in any order', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([100, 198, 200]);
    expect(quantile([], 0.5)).toBe(0);
  });
});

describe('the area under the ROC curve', () => {
  it.each([
    ['is 1 when the first is always larger', [3, 4], [1, 2], 1],
    ['is 0 when the first is always smaller', [1, 2], [3, 4], 0],
    ['is 0.5 for equal samples', [1, 2, 3], [1, 2, 3], 0.5],
    ['counts ties half', [1, 1], [1, 0], 0.75],
    ['compares samples of different sizes', [2], [1, 3, 4, 5], 0.25],
  ])('%s', (_name, first, second, area) => {
    expect(areaUnderCurve(first, second)).toBe(area);
  });

  it('is closer to 0.5 by chance in larger samples', () => {
    expect(areaByChance(500, 500)).toBeCloseTo(0.0358, 4);
    expect(areaByChance(5_000, 5_000)).toBeLessThan(areaByChance(50, 50));
  });
});
