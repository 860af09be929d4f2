import { ListChecks, LoaderCircle } from 'lucide-react';
import { iconButtonClass } from '../../ui/IconButton';
import { plural } from '../../ui/plural';
import styles from './jobs.module.css';
import { useJobs } from '../../kit/job/useJobs';

/** The number of open jobs, in the header of every screen. */
export function JobsButton({ onOpen }: { onOpen: () => void }) {
  const count = useJobs().open.length;
  const label = count === 0 ? 'Tâches' : `Tâches\u00a0: ${plural(count, 'en cours', 'en cours')}`;
  const Icon = count === 0 ? ListChecks : LoaderCircle;
  return (
    <button
      type="button"
      aria-label={label}
      data-busy={count > 0 || undefined}
      className={`${iconButtonClass} ${styles['button']}`}
      onClick={onOpen}
    >
      <Icon size={18} strokeWidth={1.75} aria-hidden className={styles['icon']} />
      {count > 0 && (
        <span aria-hidden className={styles['count']}>
          {count}
        </span>
      )}
    </button>
  );
}
