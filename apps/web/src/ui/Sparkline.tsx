import type { HealthItem } from '@vigie/contracts/server-health';
import styles from './Sparkline.module.css';
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
      className={styles['line']}
    >
      <title>{sentence}</title>
      {threshold !== undefined && (
        <line x1={0} x2={width} y1={threshold} y2={threshold} className={styles['threshold']} />
      )}
      <path d={runs.join('')} className={styles['path']} />
      <circle cx={last.x} cy={last.y} r={2} data-tone={last.isNow ? tone : 'neutral'} className={styles['last']} />
    </svg>
  );
}
