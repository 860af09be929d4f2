import { Box, Group, Text } from '@mantine/core';
import { ListChecks, LoaderCircle } from 'lucide-react';
import { jobName } from '../../kit/job/kinds';
import { useJobs } from '../../kit/job/useJobs';
import { formatOpenCounts, stateLabel } from '../../kit/job/words';
import { iconButtonClass } from '../../ui/IconButton';
import { JobProgress } from '../../ui/JobProgress';
import { plural } from '../../ui/plural';
import { TimeAgo } from '../../ui/TimeAgo';
import { useThrottled } from '../../ui/useThrottled';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './jobs.module.css';

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
    <Group wrap="nowrap" gap={16} flex={1} miw={0} c="muted" fz={13}>
      <output>
        <VisuallyHidden>{!isSilent && announcement}</VisuallyHidden>
      </output>
      <Text truncate aria-hidden>
        {counts === '' ? lastText : counts}
        {counts === '' && last?.finished_at && (
          <>
            {', '}
            <TimeAgo at={last.finished_at} />
          </>
        )}
      </Text>
      {running && !isShort && (
        <Group aria-hidden wrap="nowrap" gap={16} miw={0} c="var(--text)">
          <Text span truncate>
            {jobName(running)}
          </Text>
          <Box w={180} flex="none">
            {running.progress && <JobProgress progress={running.progress} />}
          </Box>
        </Group>
      )}
    </Group>
  );
}

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
