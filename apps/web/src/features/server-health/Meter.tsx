import styles from './server-health.module.css';
import { spellPercent } from './words';

type Props = { percent: number | null; threshold: number };

/** Shows a percentage as a bar, with a notch at the alert threshold. */
export function Meter({ percent, threshold }: Props) {
  return (
    <span className={styles['meter']}>
      <span className={styles['value']}>{spellPercent(percent)}</span>
      {percent !== null && (
        <svg width={56} height={8} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden className={styles['bar']}>
          <rect width={100} height={8} className={styles['room']} />
          <rect width={percent} height={8} data-over={percent >= threshold || undefined} className={styles['used']} />
          <rect x={threshold} width={2} height={8} className={styles['notch']} />
        </svg>
      )}
    </span>
  );
}
