import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { JobProgress } from '../../ui/JobProgress';
import { useThrottled } from '../../ui/useThrottled';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './JobsSummary.module.css';
import { jobName } from '../../kit/job/kinds';
import { useJobs } from '../../kit/job/useJobs';
import { formatOpenCounts, stateLabel } from '../../kit/job/words';

const announceEveryMs = 5_000;

type Props = {
  /** The open panel already shows the running job. */
  isShort: boolean;
  /** The open detail announces its own progress. */
  isSilent: boolean;
};

/** The counts of open jobs, or else the last job. */
export function JobsSummary({ isShort, isSilent }: Props) {
  const { jobs, open } = useJobs();
  const [last] = jobs;
  const running = open.findLast(({ state }) => state === 'running');
  const counts = formatOpenCounts(open);
  const lastText = last ? `${jobName(last)}\u00a0: ${stateLabel(last).word}` : 'Aucune tâche';
  const announcement = useThrottled(counts === '' ? lastText : counts, announceEveryMs);
  return (
    <div className={styles['summary']}>
      <output>
        <VisuallyHidden>{!isSilent && announcement}</VisuallyHidden>
      </output>
      <p aria-hidden className={styles['line']}>
        {counts === '' ? lastText : counts}
        {counts === '' && last?.finished_at && (
          <>
            {', '}
            <TimeAgo at={last.finished_at} />
          </>
        )}
      </p>
      {running && !isShort && (
        <div aria-hidden className={styles['running']}>
          <span className={styles['line']}>{jobName(running)}</span>
          {running.progress && <JobProgress progress={running.progress} />}
        </div>
      )}
    </div>
  );
}
