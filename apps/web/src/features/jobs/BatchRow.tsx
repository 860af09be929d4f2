import { Box } from '@mantine/core';
import { type JobItem, isFinal } from '@vigie/contracts/jobs';
import { useState } from 'react';
import { whileVisible } from '../../kit/query/usePollInterval';
import { Failure } from '../../ui/Failure';
import { formatNumber } from '../../ui/plural';
import { Skeleton } from '../../ui/Skeleton';
import styles from './jobs.module.css';
import { JobRow, type RowsProps } from './JobRow';
import { flattenPages, pagesApi } from './job-pages.api';
import { LoadMore } from './LoadMore';
import { useJobsPollInterval } from '../../kit/job/useJobs';

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
