import { Button } from '@mantine/core';
import { ArrowUp, History, SearchX } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { failedBy } from '../../app/failed';
import { usePace, visibly } from '../../app/usePace';
import { EmptyState } from '../../ui/EmptyState';
import { plural } from '../../ui/plural';
import { Widget } from '../../ui/Widget';
import { ActivityFilters } from './ActivityFilters';
import { ActivityLine } from './ActivityLine';
import styles from './ActivityList.module.css';
import { ActivityRun } from './ActivityRun';
import { activityApi } from './activity.api';
import { hasGap, joinFeed } from './feed';
import { type ActivitySearch, isFiltered } from './search';
import { useHeld } from './useHeld';

const step = 10;
const max = 50;
const pollMs = 20_000;

type Props = { search: ActivitySearch; onChange: (change: ActivitySearch) => void };

/** Polls the newest lines; older lines are read once. Another filter starts again at the newest. */
function useActivity({ kind, person, site }: ActivitySearch) {
  const filter = [kind, person, site].join(' ');
  const [grown, setGrown] = useState({ filter, limit: step });
  const limit = grown.filter === filter ? grown.limit : step;
  const question = { limit: step, kind, person, site };
  const pollingInterval = usePace(activityApi.endpoints.activity.useQueryState(question), pollMs);
  const refetchOnMountOrArgChange = true;
  const first = activityApi.useActivityQuery(question, { pollingInterval, refetchOnMountOrArgChange, ...visibly });
  const older = activityApi.useActivityQuery({ ...question, limit }, { refetchOnMountOrArgChange });
  const { currentData: latest } = first;
  // The older lines stay while more of them load. The newest must belong to the current filter.
  const below = limit > step ? older.data : undefined;
  const isTorn = latest !== undefined && below !== undefined && hasGap(latest.items, below.items);
  const { refetch } = older;
  useEffect(() => {
    if (isTorn) void refetch();
  }, [isTorn, refetch]);
  const items = useMemo(() => latest && joinFeed(latest.items, below?.items ?? [], limit), [latest, below, limit]);
  const answer = {
    data: items,
    error: first.error ?? older.error,
    isFetching: first.isFetching || older.isFetching,
    refetch: () => {
      void first.refetch();
      if (limit > step) void refetch();
    },
  };
  const canGrow = items !== undefined && items.length >= limit && limit < max;
  const grow = () => setGrown({ filter, limit: limit + step });
  return { answer, filter, question, canGrow, isGrowing: older.isFetching, grow };
}

const Nothing = ({ search }: { search: ActivitySearch }) =>
  isFiltered(search) ? (
    <EmptyState icon={SearchX} title="Aucune activité ne correspond." />
  ) : (
    <EmptyState icon={History} title="Rien ne s’est encore passé ici." />
  );

export function ActivityList({ search, onChange }: Props) {
  const { answer, filter, question, canGrow, isGrowing, grow } = useActivity(search);
  const { shown, waiting, release, list, handlers } = useHeld(answer.data, filter);
  return (
    <Widget
      id="activity"
      title="Activité récente"
      answer={answer}
      sentence={failedBy(answer.error, 'Impossible de charger l’activité récente.')}
      rows={5}
      tools={<ActivityFilters search={search} onChange={onChange} />}
    >
      <div {...handlers}>
        {waiting > 0 && (
          <div className={styles['news']}>
            <Button variant="default" leftSection={<ArrowUp size={14} aria-hidden />} onClick={release}>
              {`Afficher ${plural(waiting, 'nouvelle ligne', 'nouvelles lignes')}`}
            </Button>
          </div>
        )}
        {shown?.length === 0 && <Nothing search={search} />}
        <ul ref={list} tabIndex={-1} aria-label="Activité récente" className={styles['lines']}>
          {shown?.map((item) => (
            <li key={item.run?.id ?? item.id}>
              {item.run ? <ActivityRun item={item} run={item.run} question={question} /> : <ActivityLine item={item} />}
            </li>
          ))}
        </ul>
      </div>
      {canGrow && (
        <div className={styles['foot']}>
          <Button variant="default" loading={isGrowing} onClick={grow}>
            Afficher plus
          </Button>
        </div>
      )}
    </Widget>
  );
}
