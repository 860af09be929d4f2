const date = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('fr-FR', options);
  return (at: number) => format.format(at);
};
const hour = date({ hour: '2-digit', minute: '2-digit' });
const day = date({ day: 'numeric', month: 'short' });
/** Days are those of UTC, as they were added up. */
const utcDay = date({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const both = date({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

export const periodNames = ['day', 'week', 'month', 'quarter'] as const;
export type PeriodName = (typeof periodNames)[number];

/** How a period is asked for and named, and how its times are written on the axis and at a point. */
export type Period = {
  days: '1' | '7' | '30' | '90';
  label: string;
  formatTick: (at: number) => string;
  formatPoint: (at: number) => string;
};

export const periods: Readonly<Record<PeriodName, Period>> = {
  day: { days: '1', label: '24\u00a0h', formatTick: hour, formatPoint: both },
  week: { days: '7', label: '7\u00a0j', formatTick: day, formatPoint: both },
  month: { days: '30', label: '30\u00a0j', formatTick: day, formatPoint: utcDay },
  quarter: { days: '90', label: '90\u00a0j', formatTick: day, formatPoint: utcDay },
};
