import { Box, Button, Group } from '@mantine/core';
import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useJobsPollInterval } from '../../kit/job/useJobs';
import { whileVisible } from '../../kit/query/usePollInterval';
import { Failure } from '../../ui/Failure';
import { formatNumber } from '../../ui/plural';
import { Skeleton } from '../../ui/Skeleton';
import { JobRow, type RowsProps } from './JobRow';
import { flattenPages, pagesApi } from './job-pages.api';
import styles from './jobs.module.css';

type Props = RowsProps & { job: JobItem };

export function BatchJobs({ job, ...rows }: Props) {
  const pollInterval = useJobsPollInterval();
  const { data, error, isFetchingNextPage, hasNextPage, fetchNextPage } = pagesApi.useJobPagesInfiniteQuery(
    { batchId: job.id },
    { pollingInterval: isFinal(job.state) ? 0 : pollInterval, refetchOnMountOrArgChange: true, ...whileVisible },
  );
  if (!data) {
    return error ? (
      <Failure sentence="Impossible de charger les tâches de ce lot." />
    ) : (
      <Skeleton rows={Math.min(3, job.counts?.total ?? 3)} height={36} />
    );
  }
  const children = flattenPages(data);
  return (
    <>
      <ul aria-label="Tâches du lot">
        {children.map((child) => (
          <li key={child.id}>
            <JobRow job={child} {...rows} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore isLoading={isFetchingNextPage} onLoadMore={() => void fetchNextPage()}>
          <span>{`${formatNumber(children.length)} sur ${formatNumber(job.counts?.total ?? children.length)}`}</span>
        </LoadMore>
      )}
    </>
  );
}

/** A batch is one row that unfolds to its jobs. */
export function BatchRow(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <JobRow {...props} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && (
        <Box data-batch={props.job.id} pl={16} bg="var(--canvas)" className={styles['under']}>
          <BatchJobs {...props} />
        </Box>
      )}
    </>
  );
}

type LoadMoreProps = { isLoading: boolean; onLoadMore: () => void; children?: ReactNode };

/** Loads the next page. The button disappears with the last one, and moves the focus to the row above. */
export function LoadMore({ isLoading, onLoadMore, children }: LoadMoreProps) {
  const container = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  useLayoutEffect(() => {
    const { current: element } = container;
    return () => {
      const { activeElement: active } = document;
      // A loading button is disabled and loses the focus.
      const hadFocus = element?.contains(active) || (wasPressed.current && active === document.body);
      if (!hadFocus) return;
      const rows = element?.parentElement?.querySelectorAll<HTMLElement>('[data-row]');
      rows?.item(rows.length - 1)?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <Group
      ref={container}
      justify="center"
      gap="8px 12px"
      p="12px 16px"
      c="muted"
      fz={13}
      lh="18px"
      className={styles['under']}
    >
      {children}
      <Button
        variant="default"
        loading={isLoading}
        onClick={() => {
          wasPressed.current = true;
          onLoadMore();
        }}
      >
        Afficher plus
      </Button>
    </Group>
  );
}
