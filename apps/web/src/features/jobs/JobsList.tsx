import { Box, Button, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { skipToken } from '@reduxjs/toolkit/query/react';
import type { JobItem } from '@vigie/contracts/jobs';
import { ListChecks, ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { whileVisible } from '../../kit/query/usePollInterval';
import { ReadFailed } from '../../ui/ReadFailed';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { RetryButton } from '../../ui/RetryButton';
import { useSignal } from '../../ui/signal';
import { Skeleton } from '../../ui/Skeleton';
import { BatchRow, LoadMore } from './BatchRow';
import { type Filter, filterJobs, filters, isFailure, jobsFilter } from './filter';
import { JobRow } from './JobRow';
import styles from './jobs.module.css';
import { flattenPages, pagesApi } from './job-pages.api';
import { jobsApi, newestJobs, openJobs } from '../../kit/job/jobs.api';
import { useJobActions } from './useJobActions';
import { useJobs, useJobsPollInterval } from '../../kit/job/useJobs';
import { useRovingFocus } from './useRovingFocus';

const loadFailed = 'Impossible de charger les tâches.';

type Counts = Readonly<Record<Exclude<Filter, 'all'>, string>>;
type FiltersProps = { filter: Filter; counts: Counts };

const Filters = ({ filter, counts }: FiltersProps) => (
  <Box flex="none" p="6px 12px">
    <SegmentedControl
      aria-label="Tâches affichées"
      data={filters.map(({ value, label }) => ({
        value,
        label: (
          <>
            {label}
            {value !== 'all' && counts[value] !== '' && (
              <Box component="span" c="subtle" aria-hidden>
                {` ${counts[value]}`}
              </Box>
            )}
          </>
        ),
      }))}
      value={filter}
      onChange={filterJobs}
    />
  </Box>
);

const EmptyJobs = ({ filter }: { filter: Filter }) =>
  filter === 'all' ? (
    <EmptyState icon={ListChecks} title="Aucune tâche pour l’instant.">
      <p>Tests, sauvegardes et mises à jour apparaissent ici dès leur lancement.</p>
    </EmptyState>
  ) : (
    <EmptyState
      icon={ListFilter}
      title={filter === 'open' ? 'Rien n’est en cours.' : 'Aucun échec.'}
      actions={
        <Button variant="default" onClick={() => filterJobs('all')}>
          Toutes les tâches
        </Button>
      }
    />
  );

type RowsProps = { jobs: readonly JobItem[]; openId: string | undefined; onShow: (id: string | undefined) => void };

function Rows({ jobs, openId, onShow }: RowsProps) {
  const { current, ...roving } = useRovingFocus(
    jobs.map(({ id }) => id),
    openId,
  );
  // When the job in the detail is retried, the detail shows the new one.
  const { dialog, ...handlers } = useJobActions((id) => openId !== undefined && onShow(id));
  const rows = { openId, current, handlers };
  return (
    <>
      <ul aria-label="Tâches, les plus récentes d’abord" {...roving}>
        {jobs.map((job) => (
          <li key={job.id}>{job.counts ? <BatchRow job={job} {...rows} /> : <JobRow job={job} {...rows} />}</li>
        ))}
      </ul>
      {dialog}
    </>
  );
}

type Props = { openId: string | undefined; onShow: (id: string | undefined) => void };

/** "3", or "3+" when more may exist than were read. */
const formatCount = (count: number, isWhole = true) => (count === 0 ? '' : `${count}${isWhole ? '' : '+'}`);

/** Shows the newest jobs, which are already read, until the first page arrives. Only the page can tell that there is none. */
function useCachedJobs(filter: Filter): readonly JobItem[] | undefined {
  const { jobs } = useJobs();
  const cached = filter === 'all' ? jobs : jobs.filter(isFailure);
  return cached.length > 0 ? cached : undefined;
}

function useJobList(filter: Filter) {
  const pollingInterval = useJobsPollInterval();
  const cached = useCachedJobs(filter);
  const isOpen = filter === 'open';
  const options = { pollingInterval, ...whileVisible };
  const open = jobsApi.useJobsQuery(isOpen ? openJobs : skipToken, options);
  const pages = pagesApi.useJobPagesInfiniteQuery(isOpen ? skipToken : { isFailed: filter === 'failed' }, options);
  // `data` would still hold the rows of the previous filter.
  const pageJobs = pages.currentData && flattenPages(pages.currentData);
  const { error, isFetching, refetch } = isOpen ? open : pages;
  return {
    data: isOpen ? open.data : (pageJobs ?? cached),
    pageJobs,
    error,
    isFetching,
    refetch,
    isLoading: pages.isFetchingNextPage,
    showMore: !isOpen && pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
  };
}

function useCounts({ pageJobs, showMore }: ReturnType<typeof useJobList>): Counts {
  const { jobs, open } = useJobs();
  const isWhole = pageJobs ? showMore === undefined : jobs.length < newestJobs.limit;
  return { open: formatCount(open.length), failed: formatCount((pageJobs ?? jobs).filter(isFailure).length, isWhole) };
}

export function JobsList(props: Props) {
  const filter = useSignal(jobsFilter);
  const list = useJobList(filter);
  const counts = useCounts(list);
  const { data: jobs, error, isFetching, isLoading, refetch, showMore } = list;
  const sentence = failureMessage(error, loadFailed);
  const retryButton = <RetryButton isBusy={isFetching} onRetry={refetch} />;
  let content: ReactNode;
  if (!jobs) {
    content = sentence ? (
      <ReadFailed sentence={sentence} isBusy={isFetching} onRetry={refetch} />
    ) : (
      <Skeleton rows={5} height={36} />
    );
  } else if (jobs.length === 0) content = <EmptyJobs filter={filter} />;
  else content = <Rows jobs={jobs} {...props} />;
  return (
    <>
      <Filters filter={filter} counts={counts} />
      <div className={`${styles['scroll']} ${styles['rows']} ${styles['under']}`}>
        {jobs && sentence !== undefined && <Failure sentence={sentence}>{retryButton}</Failure>}
        {content}
        {showMore && <LoadMore isLoading={isLoading} onLoadMore={showMore} />}
      </div>
    </>
  );
}
