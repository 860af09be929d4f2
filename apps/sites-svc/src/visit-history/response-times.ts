/**
 * Response times are kept as a number of answers for each range, since percentiles of hours cannot be added up to those of a
 * day. In milliseconds; the last range is open.
 */
const limits = [50, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000] as const;

/** SQL for the histogram of a group of samples: good answers only. */
export function histogramSql(ms: string, isUp: string): string {
  const counts = [...limits, Infinity].map((limit, at) => {
    const lower = limits[at - 1];
    const bounds = [lower !== undefined && `${ms} > ${lower}`, limit !== Infinity && `${ms} <= ${limit}`];
    return `count(*) filter (where ${[isUp, `${ms} is not null`, ...bounds].filter(Boolean).join(' and ')})`;
  });
  return `array[${counts.join(', ')}]`;
}

/** SQL for the sum of the histograms of a group. */
export const histogramSumSql = (histogram: string): string =>
  `array[${[...limits, Infinity].map((_, at) => `sum(${histogram}[${at + 1}])`).join(', ')}]`;

/** The time in which this share of the answers came, in milliseconds: evenly spread within its range. */
export function percentile(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rest = share * total;
  for (const [at, count] of histogram.entries()) {
    if (rest <= count && count > 0) {
      const lower = limits[at - 1] ?? 0;
      const upper = limits[at] ?? lower;
      return Math.round(lower + ((upper - lower) * rest) / count);
    }
    rest -= count;
  }
  return limits.at(-1) ?? null;
}
