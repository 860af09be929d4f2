import type { HealthAlert } from '@vigie/contracts/server-health';

const percent = new Intl.NumberFormat('fr-FR', { style: 'percent' });
const short = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

const measures = {
  disk: { word: 'disque', format: (value: number) => percent.format(value / 100) },
  memory: { word: 'mémoire', format: (value: number) => percent.format(value / 100) },
  load: { word: 'charge', format: (value: number) => short.format(value) },
} as const;

/** "disque 93 % ≥ 90 %". */
export function formatAlert({ kind, value, threshold }: Omit<HealthAlert, 'since'>): string {
  if (kind === 'status') return 'ne répond pas par SSH';
  const { word, format } = measures[kind];
  return `${word}\u00a0${format(value ?? 0)} ≥\u00a0${format(threshold ?? 0)}`;
}
