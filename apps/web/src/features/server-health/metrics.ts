import type { HealthItem, HealthPoint } from '@vigie/contracts/server-health';
import { healthThresholds, loadThreshold } from '@vigie/contracts/server-state';
import type { History } from './server-health.api';
import { columnLabels, parseDisk, spellCount, spellLoad, spellPercent } from './words';

type Item = HealthItem | undefined;
type Value = number | null;
/** In pixels; kept while a curve loads. */
export const plotHeight = 180;

type Values = { times: number[]; values: Value[] };

/** What is drawn: from one time to another, in seconds, up to `top` at least. */
export type Curve = Values & { from: number; to: number; top: number; threshold: number | undefined };

const short = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 });
const spellShort = (value: Value) => (value === null ? '—' : short.format(value));

const always = (threshold: number) => () => threshold;

/** One curve. `top` is the least height of its axis. */
export type Metric = {
  field: Exclude<keyof HealthPoint, 'at'>;
  label: string;
  format: (value: Value) => string;
  /** What was measured last, with what it is part of. */
  now: (item: HealthItem) => string;
  threshold: (item: Item) => number | undefined;
  top: (item: Item) => number;
};

export const metrics: readonly Metric[] = [
  {
    field: 'load',
    label: columnLabels.load,
    format: spellShort,
    now: (item) => `${spellLoad(item)}${item.load === null || item.cores === null ? '' : '\u00a0cœurs'}`,
    threshold: (item) => item && loadThreshold(item.cores),
    // An idle host has a flat line, not peaks of 0.01.
    top: (item) => item?.cores ?? 1,
  },
  {
    field: 'mem_pct',
    label: columnLabels.mem,
    format: spellPercent,
    now: ({ mem_pct: percent, mem }) => [spellPercent(percent), mem].filter(Boolean).join(' · '),
    threshold: always(healthThresholds.memory),
    top: () => 100,
  },
  {
    field: 'disk_pct',
    label: columnLabels.disk,
    format: spellPercent,
    now: ({ disk }) => {
      const { percent, mount } = parseDisk(disk);
      return [spellPercent(percent), mount].filter(Boolean).join(' · ');
    },
    threshold: always(healthThresholds.disk),
    top: () => 100,
  },
  {
    field: 'procs',
    label: columnLabels.procs,
    format: spellCount,
    now: ({ procs }) => spellCount(procs),
    threshold: () => undefined,
    top: () => 10,
  },
];

/** A line is broken where more than this many steps have no point: a probe may be late. */
const maxSteps = 2.5;

/** The values of one curve, in seconds, with a gap where nothing was measured. */
export function valuesOf({ points, step_seconds: step }: History, field: Metric['field']): Values {
  const [times, values]: [number[], Value[]] = [[], []];
  for (const point of points) {
    const time = Date.parse(point.at) / 1_000;
    const last = times.at(-1);
    if (last !== undefined && time - last > maxSteps * step) {
      times.push(last + step);
      values.push(null);
    }
    times.push(time);
    values.push(point[field]);
  }
  return { times, values };
}

export const toCurve = (metric: Metric, history: History, item: Item): Curve => ({
  ...valuesOf(history, metric.field),
  from: Date.parse(history.from) / 1_000,
  to: Date.parse(history.to) / 1_000,
  top: metric.top(item),
  threshold: metric.threshold(item),
});

/** The points between two gaps: a line alone would not show them. */
export const lonePoints = (values: readonly Value[]): number[] =>
  values.flatMap((value, at) =>
    value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null ? [at] : [],
  );

/** "Charge, sur 24 h : de 0,1 à 2,4, dernière mesure 0,3". */
export function describeValues({ label, format }: Metric, values: readonly Value[], period: string): string {
  const measured = values.flatMap((value) => value ?? []);
  if (measured.length === 0) return `${label}, sur ${period}\u00a0: aucune mesure`;
  const [min, max] = [Math.min(...measured), Math.max(...measured)];
  const span = min === max ? format(min) : `de ${format(min)} à ${format(max)}`;
  return `${label}, sur ${period}\u00a0: ${span}, dernière mesure ${format(measured.at(-1) ?? null)}`;
}
