import { Link } from '@tanstack/react-router';
import type { JobItem } from '@vigie/contracts/jobs';
import { ChevronRight } from 'lucide-react';
import { jobName } from '../../kit/job/kinds';
import { withJobParam } from '../../kit/job/withJobParam';
import { formatCounts, formatDuration, stateLabel } from '../../kit/job/words';
import { formatDate } from '../../ui/dates';
import { JobProgress } from '../../ui/JobProgress';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNow } from '../../ui/useNow';
import { JobActions } from './JobActions';
import styles from './jobs.module.css';
import type { JobHandlers } from './useJobActions';

export type RowsProps = {
  openId: string | undefined;
  /** The row that Tab reaches. */
  current: string | undefined;
  handlers: JobHandlers;
};

type Props = RowsProps & { job: JobItem; isOpen?: boolean; onToggle?: () => void };

/** The progress, the error or the counts of a job, beside its state. */
function JobDetails({ job }: { job: JobItem }) {
  const { state, progress, error, counts } = job;
  if (counts) return <span className={styles['text']}>{formatCounts({ kind: job.kind, counts })}</span>;
  if (state === 'running' && progress) return <JobProgress progress={progress} />;
  if (error) return <span className={styles['text']}>{error.message}</span>;
  return null;
}

export function JobRow({ job, openId, current, handlers, isOpen = false, onToggle }: Props) {
  const { tone, word } = stateLabel(job);
  const name = jobName(job);
  const tabIndex = current === job.id ? 0 : -1;
  return (
    <div className={styles['row']} data-state={job.state} data-shown={openId === job.id || undefined}>
      <span className={styles['name']}>
        {onToggle && <ToggleButton {...{ name, isOpen, tabIndex, onToggle }} />}
        <Link
          to="."
          search={withJobParam(job.id)}
          resetScroll={false}
          tabIndex={tabIndex}
          data-row={job.id}
          aria-current={openId === job.id || undefined}
          className={styles['job'] ?? ''}
        >
          {name}
        </Link>
      </span>
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
        <JobActions job={job} handlers={handlers} tabIndex={tabIndex} />
      </span>
    </div>
  );
}

type ToggleButtonProps = { name: string; isOpen: boolean; tabIndex: 0 | -1; onToggle: () => void };

function ToggleButton({ name, isOpen, tabIndex, onToggle }: ToggleButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={`Détail du lot ${name}`}
      tabIndex={tabIndex}
      className={styles['toggle']}
      onClick={onToggle}
    >
      <ChevronRight size={16} aria-hidden />
    </button>
  );
}

function RunningTime({ since }: { since: string }) {
  const now = useNow(1_000);
  return (
    <span title={`Depuis le ${formatDate(new Date(since))}`}>{formatDuration(now.getTime() - Date.parse(since))}</span>
  );
}

/** The duration of a running job; the age and duration of one that ended. */
export function Elapsed({ job }: { job: JobItem }) {
  const { created_at: createdAt, started_at: startedAt, finished_at: finishedAt } = job;
  if (finishedAt === null) return startedAt === null ? <TimeAgo at={createdAt} /> : <RunningTime since={startedAt} />;
  const ms = startedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);
  return (
    <span>
      <TimeAgo at={finishedAt} />
      {ms !== undefined && <span data-took>{` · ${formatDuration(ms)}`}</span>}
    </span>
  );
}
