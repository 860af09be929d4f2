type Level = { name: string; fill: string; height: number };

/** A colour never says it alone: the worse a day was, the shorter is its bar. */
const levels = {
  good: { name: 'good', fill: 'var(--ok-dot)', height: 1 },
  shaken: { name: 'shaken', fill: 'var(--warn-dot)', height: 0.75 },
  bad: { name: 'bad', fill: 'var(--danger-dot)', height: 0.5 },
  none: { name: 'none', fill: 'var(--neutral-tint)', height: 0.25 },
} as const satisfies Record<string, Level>;

/** Below so many percent a day was bad: more than an hour of it. */
const badBelow = 95;

function levelOf(percent: number | null): Level {
  if (percent === null) return levels.none;
  if (percent >= 100) return levels.good;
  return percent < badBelow ? levels.bad : levels.shaken;
}

export const barStep = 5;
export const barHeight = 32;
const barWidth = 3.4;

/** One path for each level, since a page may have 18,000 bars. */
export function drawDays(days: readonly (number | null)[]): { name: string; fill: string; path: string }[] {
  const bars = days.map((percent, index) => ({ level: levelOf(percent), x: index * barStep }));
  return Object.values(levels).flatMap((level) => {
    const own = bars.filter((bar) => bar.level === level);
    if (own.length === 0) return [];
    const height = barHeight * level.height;
    const path = own.map(({ x }) => `M${x} ${barHeight - height}h${barWidth}v${height}h-${barWidth}z`).join('');
    return [{ name: level.name, fill: level.fill, path }];
  });
}
