import type { Progress } from '@vigie/contracts/jobs';
import styles from './JobProgress.module.css';

const maxSteps = 200;
const percent = new Intl.NumberFormat('fr-FR', { style: 'percent' });

/** A small total counts steps, a large one bytes, which are shown as a percentage. */
const formatProgress = (done: number, total: number) =>
  total <= maxSteps ? `${Math.min(done, total)}/${total}` : percent.format(Math.min(1, done / total));

/** The current step, with a bar when its total is known. */
export function JobProgress({ progress: { step, done, total } }: { progress: Progress }) {
  const isKnown = done !== null && total !== null && total > 0;
  return (
    <span className={styles['progress']}>
      <span className={styles['step']}>
        {step}
        {isKnown && <span className={styles['count']}>{formatProgress(done, total)}</span>}
      </span>
      {isKnown && <ProgressBar isSmooth label={step} value={done} max={total} />}
    </span>
  );
}

type Props = { label: string; value: number; max: number; isSmooth?: boolean };

export const ProgressBar = ({ label, value, max, isSmooth }: Props) => (
  <progress className={styles['bar']} data-smooth={isSmooth} value={value} max={max} aria-label={label} />
);
