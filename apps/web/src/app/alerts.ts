import type { HealthAlert } from '@vigie/contracts/server-health';

const percent = new Intl.NumberFormat('fr-FR', { style: 'percent' });
const short = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

const measures = {
  disk: { word: 'disque', spell: (value: number) => percent.format(value / 100) },
  memory: { word: 'mémoire', spell: (value: number) => percent.format(value / 100) },
  load: { word: 'charge', spell: (value: number) => short.format(value) },
} as const;

/** "disque 93 % ≥ 90 %". */
export function spellAlert({ kind, value, threshold }: Omit<HealthAlert, 'since'>): string {
  if (kind === 'status') return 'ne répond pas par SSH';
  const { word, spell } = measures[kind];
  return `${word}\u00a0${spell(value ?? 0)} ≥\u00a0${spell(threshold ?? 0)}`;
}
