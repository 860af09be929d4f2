import type { HealthAlert } from '@vigie/contracts/server-state';

const percent = new Intl.NumberFormat('fr-FR', { style: 'percent' });
const short = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

const measures = {
  disk: { word: 'disque', format: (value: number) => percent.format(value / 100), unit: 'point' },
  memory: { word: 'mémoire', format: (value: number) => percent.format(value / 100), unit: 'point' },
  load: { word: 'charge', format: (value: number) => short.format(value), unit: undefined },
} as const;

type Alert = Omit<HealthAlert, 'since'>;

/** "disque 93 % ≥ 90 %". */
export function formatAlert({ kind, value, threshold }: Alert): string {
  if (kind === 'status') return 'ne répond pas par SSH';
  const { word, format } = measures[kind];
  return `${word}\u00a0${format(value ?? 0)} ≥\u00a0${format(threshold ?? 0)}`;
}

/** "Disque à 93 % (seuil 90 %, dépassé de 3 points)". */
export function explainAlert({ kind, value, threshold }: Alert): string {
  if (kind === 'status') return 'Ne répond pas par SSH';
  const { word, format, unit } = measures[kind];
  const name = `${word.charAt(0).toLocaleUpperCase('fr')}${word.slice(1)} à\u00a0${format(value ?? 0)}`;
  const limit = `seuil\u00a0${format(threshold ?? 0)}`;
  const excess = (value ?? 0) - (threshold ?? 0);
  if (short.format(excess) === '0') return `${name} (${limit} atteint)`;
  const points = unit === undefined ? '' : `\u00a0${unit}${excess < 2 ? '' : 's'}`;
  return `${name} (${limit}, dépassé de\u00a0${short.format(excess)}${points})`;
}
