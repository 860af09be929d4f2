import type { HealthItem } from '@vigie/contracts/server-health';

/** The load of the last hour; nothing when no load was measured in it. */
export function Sparkline({ health }: { health: HealthItem | undefined }) {
  const { loads = [], cores = null, alerts = [] } = health ?? {};
  const line = drawLoads(loads, cores);
  if (!line) return null;
  const { runs, last, threshold } = line;
  const sentence = formatLoads(loads);
  const tone = alerts.some(({ kind }) => kind === 'load') ? 'danger' : 'ok';
  return (
    <svg
      role="img"
      aria-label={sentence}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      style={{ display: 'block', overflow: 'visible' }}
    >
      <title>{sentence}</title>
      {threshold !== undefined && (
        <line x1={0} x2={width} y1={threshold} y2={threshold} stroke="var(--danger-dot)" strokeDasharray="3 3" />
      )}
      <path
        d={runs.join('')}
        fill="none"
        stroke="var(--muted)"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth={1.5}
      />
      <circle cx={last.x} cy={last.y} r={2} fill={`var(--${last.isNow ? tone : 'neutral'}-dot)`} />
    </svg>
  );
}

const width = 96;
const height = 24;
const margin = 2;

type Loads = readonly (number | null)[];
type Line = {
  /** One SVG path for each series of measures without a gap. */
  runs: string[];
  last: { x: number; y: number; isNow: boolean };
  /** The height of the alert threshold; undefined while it is above the drawing. */
  threshold: number | undefined;
};

/** A line is recent although its newest measures have not arrived yet. */
const maxMissingPoints = 2;

const round = (value: number) => Math.round(value * 10) / 10;

/** Draws the newest load at the right; undefined when nothing was measured. */
export function drawLoads(loads: Loads, cores: number | null): Line | undefined {
  const measured = loads.flatMap((load) => load ?? []);
  if (measured.length === 0) return undefined;
  // An idle host has a flat line, not peaks of 0.01.
  const top = Math.max(...measured, cores ?? 1);
  const x = (index: number) => round(margin + (index / Math.max(1, loads.length - 1)) * (width - 2 * margin));
  const y = (load: number) => round(height - margin - (load / top) * (height - 2 * margin));
  const runs: string[] = [];
  let previous: number | null = null;
  for (const [index, load] of loads.entries()) {
    if (load !== null) {
      if (previous === null) runs.push(`M${x(index)} ${y(load)}h0`);
      else runs[runs.length - 1] += `L${x(index)} ${y(load)}`;
    }
    previous = load;
  }
  const index = loads.findLastIndex((load) => load !== null);
  const limit = 4 * (cores ?? 1);
  return {
    runs,
    last: { x: x(index), y: y(loads[index] ?? 0), isNow: index >= loads.length - maxMissingPoints },
    threshold: limit <= top ? y(limit) : undefined,
  };
}

const short = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

/** "charge : de 0,1 à 2,4 en une heure". */
export function formatLoads(loads: Loads): string {
  const measured = loads.flatMap((load) => load ?? []);
  const [min, max] = [Math.min(...measured), Math.max(...measured)].map((load) => short.format(load));
  return `charge\u00a0: ${min === max ? min : `de ${min} à ${max}`} en une heure`;
}
