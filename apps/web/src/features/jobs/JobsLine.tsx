import { Box, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JobItem } from '@vigie/contracts/jobs';
import { ListChecks, LoaderCircle } from 'lucide-react';
import { JobLink } from '../../kit/job/JobLink';
import { jobName } from '../../kit/job/kinds';
import { useJobs } from '../../kit/job/useJobs';
import { doneShare, formatStanding } from '../../kit/job/words';
import { iconButtonClass } from '../../ui/IconButton';
import { ProgressBar } from '../../ui/JobProgress';
import { plural } from '../../ui/plural';
import { TimeAgo } from '../../ui/TimeAgo';
import { useThrottled } from '../../ui/useThrottled';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './jobs.module.css';

const announceEveryMs = 5_000;

/** A batch that runs says how many are done, and a job which step it is at. */
const standingOf = (job: JobItem) =>
  !job.counts && job.state === 'running' && job.progress ? job.progress.step : formatStanding(job);

function Bar({ job }: { job: JobItem }) {
  const share = doneShare(job);
  if (job.finished_at !== null || !share) return null;
  return (
    <Box w={{ base: 80, lg: 160 }} flex="none">
      <ProgressBar isSmooth label="Avancement" value={share.done} max={share.total} />
    </Box>
  );
}

/** The newest open job, or else the last one: its name, then how it stands. */
export function JobsLine() {
  const { jobs, open } = useJobs();
  const job = open[0] ?? jobs[0];
  const name = job ? jobName(job) : 'Aucune tâche';
  const standing = job && standingOf(job);
  const announcement = useThrottled([name, standing].filter(Boolean).join(' · '), announceEveryMs);
  const others = open.length - 1;
  return (
    <Group wrap="nowrap" gap={16} flex={1} miw={0} c="muted" fz={13}>
      {!job && <Text span>{name}</Text>}
      {job && (
        <JobLink id={job.id} className={styles['latest'] ?? ''}>
          <b>{name}</b>
          {` · ${standing}`}
          {job.finished_at !== null && (
            <>
              {', '}
              <TimeAgo at={job.finished_at} />
            </>
          )}
        </JobLink>
      )}
      {job && <Bar job={job} />}
      {others > 0 && (
        <Link to="/tasks" search={{ show: 'open' }} className={styles['others'] ?? ''}>
          {`et ${plural(others, 'autre tâche', 'autres tâches')}`}
        </Link>
      )}
      <output>
        <VisuallyHidden>{announcement}</VisuallyHidden>
      </output>
    </Group>
  );
}

/** The number of open jobs, in the header of every screen. */
export function JobsButton() {
  const count = useJobs().open.length;
  const label = count === 0 ? 'Tâches' : `Tâches\u00a0: ${plural(count, 'en cours', 'en cours')}`;
  const Icon = count === 0 ? ListChecks : LoaderCircle;
  return (
    <Link
      to="/tasks"
      aria-label={label}
      data-busy={count > 0 || undefined}
      className={`${iconButtonClass} ${styles['button']}`}
    >
      <Icon size={18} strokeWidth={1.75} aria-hidden className={styles['icon']} />
      {count > 0 && (
        <span aria-hidden className={styles['count']}>
          {count}
        </span>
      )}
    </Link>
  );
}
