import { Button } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useNavigate } from '@tanstack/react-router';
import type { JobItem } from '@vigie/contracts/jobs';
import { ListChecks, ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';
import { jobsApi, openJobs } from '../../kit/job/jobs.api';
import { useJobs, useJobsPollInterval } from '../../kit/job/useJobs';
import { ListFrame } from '../../kit/list/ListScreen';
import { changeSearch } from '../../kit/list/search-params';
import { failureMessage } from '../../kit/query/failures';
import { whileVisible } from '../../kit/query/usePollInterval';
import { Segments } from '../../ui/Choices';
import { EmptyState } from '../../ui/EmptyState';
import { Page } from '../../ui/Page';
import { Skeleton } from '../../ui/Skeleton';
import { flattenPages, pagesApi } from './job-pages.api';
import styles from './jobs.module.css';
import { JobRows } from './JobRows';
import { LoadMore } from './LoadMore';
import { type Filter, filters, type JobsSearch } from './search';

const loadFailed = 'Impossible de charger les tâches.';

type Counts = Readonly<Partial<Record<Filter, string>>>;
type FiltersProps = { filter: Filter; counts: Counts; onFilter: (filter: Filter) => void };

const Filters = ({ filter, counts, onFilter }: FiltersProps) => (
  <div>
    <Segments
      label="Tâches affichées"
      choices={filters.map((choice) => ({ ...choice, count: counts[choice.value] }))}
      value={filter}
      onChange={onFilter}
    />
  </div>
);

const EmptyJobs = ({ filter, onFilter }: Pick<FiltersProps, 'filter' | 'onFilter'>) =>
  filter === 'all' ? (
    <EmptyState icon={ListChecks} title="Aucune tâche pour l’instant.">
      <p>Tests, sauvegardes et mises à jour apparaissent ici dès leur lancement.</p>
    </EmptyState>
  ) : (
    <EmptyState
      icon={ListFilter}
      title={filter === 'open' ? 'Rien n’est en cours.' : 'Aucun échec à traiter.'}
      actions={
        <Button variant="default" onClick={() => onFilter('all')}>
          Toutes les tâches
        </Button>
      }
    />
  );

/** Failures are read whatever the filter is, because it counts them. */
function useJobList(filter: Filter) {
  const pollingInterval = useJobsPollInterval();
  const options = { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible };
  const open = jobsApi.useJobsQuery(filter === 'open' ? openJobs : skipToken, options);
  const all = pagesApi.useJobPagesInfiniteQuery(filter === 'all' ? { isFailed: false } : skipToken, options);
  const failed = pagesApi.useJobPagesInfiniteQuery({ isFailed: true }, options);
  const pages = filter === 'failed' ? failed : all;
  const { error, isFetching, refetch } = filter === 'open' ? open : pages;
  const failures = failed.currentData && flattenPages(failed.currentData);
  const more = failed.hasNextPage ? '+' : '';
  return {
    jobs:
      filter === 'open' ? open.data : filter === 'failed' ? failures : all.currentData && flattenPages(all.currentData),
    failedCount: failures?.length ? `${failures.length}${more}` : '',
    sentence: failureMessage(error, loadFailed),
    isFetching,
    refresh: () => void refetch(),
    isLoading: pages.isFetchingNextPage,
    showMore: filter !== 'open' && pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
  };
}

const Rows = ({ jobs }: { jobs: readonly JobItem[] }) => (
  <JobRows label="Tâches, les plus récentes d’abord" jobs={jobs} />
);

type Props = { search: JobsSearch; action: ReactNode };

export function JobsPage({ search, action }: Props) {
  const navigate = useNavigate();
  const filter = search.show ?? 'all';
  const { jobs, failedCount, isLoading, showMore, ...answer } = useJobList(filter);
  const openCount = useJobs().open.length;
  const onFilter = (next: Filter) =>
    void navigate({ to: '/tasks', ...changeSearch<JobsSearch>({ show: next === 'all' ? undefined : next }) });
  const counts = { open: openCount === 0 ? '' : String(openCount), failed: failedCount };
  return (
    <Page
      title="Tâches"
      lead="Ce que Vigie fait et a fait sur vos sites et vos serveurs, depuis un mois."
      action={action}
    >
      <ListFrame
        answer={{ data: jobs, ...answer }}
        tools={<Filters filter={filter} counts={counts} onFilter={onFilter} />}
      >
        <div className={styles['rows']}>
          {!jobs && <Skeleton rows={6} height={36} />}
          {jobs?.length === 0 && <EmptyJobs filter={filter} onFilter={onFilter} />}
          {jobs && jobs.length > 0 && <Rows jobs={jobs} />}
          {jobs && showMore && <LoadMore isLoading={isLoading} onLoadMore={showMore} />}
        </div>
      </ListFrame>
    </Page>
  );
}
