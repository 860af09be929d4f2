export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = low] = sorted.slice(sorted.length % 2 === 1 ? middle : middle - 1, middle + 1);
  return (low + high) / 2;
}

/** Returns the smallest value that is at least as large as `share` of the values. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
}

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * Computes the area under the ROC curve: the probability that a value of `first` is larger than one of `second`. Ties
 * count half.
 */
export function areaUnderCurve(first: readonly number[], second: readonly number[]): number {
  const countWins = (value: number) => sum(second.map((other) => (value > other ? 1 : value === other ? 0.5 : 0)));
  return sum(first.map(countWins)) / (first.length * second.length);
}

/** Computes the half-width of the 95 % interval of that area around 0.5 for equal distributions. */
export function areaByChance(first: number, second: number): number {
  return 1.96 * Math.sqrt((first + second + 1) / (12 * first * second));
}

export const percentiles = (times: readonly number[]) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) });

/** Returns the median of each figure of some samples. */
export function medians<S extends object>(samples: readonly S[]): S {
  const [first] = samples;
  if (!first) throw new Error('nothing was measured');
  if (samples.length === 1) return first;
  const names = Object.keys(first) as (keyof S)[];
  const entries = names.map((name) => [name, median(samples.map((sample) => Number(sample[name])))]);
  return Object.fromEntries(entries) as S;
}
