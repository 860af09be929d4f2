import type { HistoryRange } from '@vigie/contracts/server-health';

const date = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('fr-FR', options);
  return (time: number) => format.format(1_000 * time);
};
const hour = date({ hour: '2-digit', minute: '2-digit' });
const day = date({ day: 'numeric', month: 'short' });
const both = date({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** How a period is named, and how its times are written on the axis and at a point. */
export type Period = {
  label: string;
  /** What one point stands for. */
  step: string;
  formatTick: (time: number) => string;
  formatPoint: (time: number) => string;
};

export const periods: Readonly<Record<HistoryRange, Period>> = {
  hour: { label: '1\u00a0h', step: 'Toutes les mesures', formatTick: hour, formatPoint: hour },
  day: {
    label: '24\u00a0h',
    step: 'Le maximum de chaque quart d’heure',
    formatTick: hour,
    formatPoint: both,
  },
  month: {
    label: '30\u00a0j',
    step: 'Le maximum de chaque tranche de deux heures',
    formatTick: day,
    formatPoint: both,
  },
};
