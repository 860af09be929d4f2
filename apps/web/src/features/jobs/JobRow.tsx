import type { JobItem } from '@vigie/contracts/jobs';
import { JobLink } from '../../kit/job/JobLink';
import { jobName, jobSubject } from '../../kit/job/kinds';
import { formatCounts, formatDuration, stateLabel } from '../../kit/job/words';
import { formatDate } from '../../ui/dates';
import { JobProgress } from '../../ui/JobProgress';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNow } from '../../ui/useNow';
import { acknowledgedText } from './acknowledge';
import { JobActions } from './JobActions';
import styles from './jobs.module.css';
import type { JobHandlers } from './useJobActions';

/** The counts of a batch, or the progress or the error of a job, beside its state. */
function JobDetails({ job }: { job: JobItem }) {
  const { kind, state, progress, error, counts, acknowledged } = job;
  if (state === 'running' && progress && !counts) return <JobProgress progress={progress} />;
  const parts = [
    counts && formatCounts({ kind, state, counts }),
    acknowledged && acknowledgedText(acknowledged.by),
    error?.message,
  ];
  return <span className={styles['text']}>{parts.filter(Boolean).join(' · ')}</span>;
}

type Props = {
  job: JobItem;
  /** In a batch, whose name says what is done. */
  isInBatch: boolean;
  /** Tab reaches this row. */
  isCurrent: boolean;
  /** Undefined where the user may only see the job. */
  handlers: JobHandlers | undefined;
};

export function JobRow({ job, isInBatch, isCurrent, handlers }: Props) {
  const { tone, word } = stateLabel(job);
  const tabIndex = isCurrent ? 0 : -1;
  return (
    <div className={styles['row']} data-state={job.state}>
      <JobLink id={job.id} tabIndex={tabIndex} data-row={job.id} className={styles['job'] ?? ''}>
        {isInBatch ? jobSubject(job) : jobName(job)}
      </JobLink>
      <span>
        <Status tone={tone}>{word}</Status>
      </span>
      <span className={styles['details']}>
        <JobDetails job={job} />
      </span>
      <span className={styles['time']}>
        <Elapsed job={job} />
      </span>
      <span className={styles['actions']}>
        {handlers && <JobActions job={job} handlers={handlers} tabIndex={tabIndex} />}
      </span>
    </div>
  );
}

export function RunningTime({ since }: { since: string }) {
  const now = useNow(1_000);
  return (
    <span title={`Depuis le ${formatDate(new Date(since))}`}>{formatDuration(now.getTime() - Date.parse(since))}</span>
  );
}

/** The duration of a running job; the age and duration of one that ended. */
function Elapsed({ job }: { job: JobItem }) {
  const { created_at: createdAt, started_at: startedAt, finished_at: finishedAt } = job;
  if (finishedAt === null) return startedAt === null ? <TimeAgo at={createdAt} /> : <RunningTime since={startedAt} />;
  const ms = startedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);
  return (
    <span>
      <TimeAgo at={finishedAt} />
      {ms !== undefined && ` · ${formatDuration(ms)}`}
    </span>
  );
}
