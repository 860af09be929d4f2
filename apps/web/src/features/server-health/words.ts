import type { HealthColumn, HealthItem } from '@vigie/contracts/server-health';
import { formatNumber } from '../../ui/plural';

export const columnLabels: Readonly<Record<HealthColumn, string>> = {
  name: 'Nom',
  load: 'Charge',
  mem: 'Mémoire',
  disk: 'Disque',
  procs: 'Processus',
  threads: 'Threads',
};

const short = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat('fr-FR', { style: 'percent' });

export const spellCount = (count: number | null): string => (count === null ? '—' : formatNumber(count));
export const spellPercent = (value: number | null): string => (value === null ? '—' : percent.format(value / 100));

/** "0,42 / 4": load over cores. */
export function spellLoad({ load, cores }: Pick<HealthItem, 'load' | 'cores'>): string {
  if (load === null) return '—';
  return cores === null ? short.format(load) : `${short.format(load)}\u00a0/\u00a0${cores}`;
}

/** Splits `NN%:/mount`. */
export function parseDisk(disk: string | null): { percent: number | null; mount: string } {
  const [, digits, mount] = /^(\d+)%:(.*)$/s.exec(disk ?? '') ?? [];
  return { percent: digits === undefined ? null : Number(digits), mount: mount ?? '' };
}
