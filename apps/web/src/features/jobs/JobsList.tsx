import { Button } from '@mantine/core';
import type { JobItem } from '@vigie/contracts/jobs';
import { CloudOff, ListChecks, ListFilter } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { failedBy } from '../../app/failed';
import { visibly } from '../../app/usePace';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { useSignal } from '../../ui/signal';
import { Skeleton } from '../../ui/Skeleton';
import { BatchRow } from './BatchRow';
import { type Filter, filterJobs, filters, jobsFilter, passes } from './filter';
import { JobRow } from './JobRow';
import styles from './JobsList.module.css';
import { jobsApi, underWay } from './jobs.api';
import { useDeeds } from './useDeeds';
import { useJobs, useJobsPace } from './useJobs';
import { useRoving } from './useRoving';

const step = 50;
const most = 200;
const failed = 'Impossible de charger les tâches.';

type FiltersProps = { filter: Filter; jobs: readonly JobItem[]; openCount: number };

function Filters({ filter, jobs, openCount }: FiltersProps) {
  return (
    <fieldset className={styles['filters']}>
      <legend>Tâches affichées</legend>
      {filters.map(({ value, label }) => {
        const counts = { all: 0, open: openCount, failed: jobs.filter((job) => passes('failed', job)).length };
        const count = counts[value];
        return (
          <label key={value} className={styles['filter']}>
            <input
              type="radio"
              name="jobs-filter"
              checked={value === filter}
              onChange={() => filterJobs(value)}
              aria-label={label}
            />
            {label}
            {count > 0 && <span aria-hidden>{count}</span>}
          </label>
        );
      })}
    </fieldset>
  );
}

const Nothing = ({ filter }: { filter: Filter }) =>
  filter === 'all' ? (
    <EmptyState icon={ListChecks} title="Aucune tâche pour l’instant.">
      <p>Tests, sauvegardes et mises à jour apparaissent ici dès qu’ils sont demandés, et y restent.</p>
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

type RowsProps = { jobs: readonly JobItem[]; shown: string | undefined; onShow: (id: string | undefined) => void };

function Rows({ jobs, shown, onShow }: RowsProps) {
  const { current, ...roving } = useRoving(
    jobs.map(({ id }) => id),
    shown,
  );
  // The one that is looked at is tried again: what is looked at is the new one.
  const { dialog, ...deeds } = useDeeds((id) => shown !== undefined && onShow(id));
  const rows = { shown, current, deeds };
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

type Props = { shown: string | undefined; onShow: (id: string | undefined) => void };

/** Those that the filter is of, and what is counted beside each filter. */
function useListed(filter: Filter) {
  const [limit, setLimit] = useState(step);
  const pollingInterval = useJobsPace();
  const known = useJobs();
  const isWhole = filter !== 'open';
  const answer = jobsApi.useJobsQuery(isWhole ? { limit } : underWay, { pollingInterval, ...visibly });
  const { data } = answer;
  const hasMore = data !== undefined && isWhole && data.length >= limit && limit < most;
  return {
    ...answer,
    counted: { jobs: (isWhole && data) || known.jobs, openCount: known.open.length },
    showMore: hasMore ? () => setLimit(Math.min(most, limit * 2)) : undefined,
  };
}

export function JobsList(props: Props) {
  const filter = useSignal(jobsFilter);
  const { data, error, isFetching, refetch, counted, showMore } = useListed(filter);
  const sentence = failedBy(error, failed);
  const again = (
    <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
      Réessayer
    </Button>
  );
  let content: ReactNode;
  const jobs = data?.filter((job) => passes(filter, job)) ?? [];
  if (!data) {
    content = sentence ? (
      <EmptyState icon={CloudOff} role="alert" title={sentence} actions={again} />
    ) : (
      <Skeleton rows={5} height={36} />
    );
  } else if (jobs.length === 0) content = <Nothing filter={filter} />;
  else content = <Rows jobs={jobs} {...props} />;
  return (
    <>
      <Filters filter={filter} {...counted} />
      <div className={styles['scroll']}>
        {data && sentence !== undefined && <Failure sentence={sentence}>{again}</Failure>}
        {content}
        {showMore && (
          <div className={styles['more']}>
            <Button variant="default" loading={isFetching} onClick={showMore}>
              Afficher plus
            </Button>
          </div>
        )}
      </div>
    </>
  );
}
