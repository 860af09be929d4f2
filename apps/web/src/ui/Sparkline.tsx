import type { HealthItem } from '@vigie/contracts/server-health';
import { drawLoads, height, formatLoads, width } from './sparkline';

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
