import { Box, Button, Group } from '@mantine/core';
import { ArrowUp, History, SearchX } from 'lucide-react';
import { useEffect, useMemo, useState, type FocusEvent, type PointerEvent, useRef } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { Widget } from '../../ui/Widget';
import { ActivityFilters } from './ActivityFilters';
import { ActivityLine } from './ActivityLine';
import styles from './activity.module.css';
import { ActivityRun } from './ActivityRun';
import { activityApi, type ActivityQuery } from './activity.api';
import { foldLogins, hasGap, joinFeed } from './feed';
import { type ActivitySearch, isFiltered } from './search';
import type { ActivityItem } from '@vigie/contracts/activity';

type Items = readonly ActivityItem[] | undefined;
const unpaused = { items: undefined as Items, filter: '', isHovered: false, isFocused: false };

/** Holds new lines back while the pointer or the focus is in the list, so that nothing moves under a click. */
function usePausedFeed(items: Items, filter: string) {
  const [state, setState] = useState(unpaused);
  const paused = state.filter === filter ? state : unpaused;
  const list = useRef<HTMLDivElement>(null);
  const pause = (change: Partial<typeof unpaused>) =>
    setState((previous) => {
      const now = { ...previous, ...change, filter };
      if (!now.isHovered && !now.isFocused) return unpaused;
      return { ...now, items: (previous.filter === filter ? previous.items : undefined) ?? items };
    });
  const first = paused.items?.[0];
  const newCount = first ? (items ?? []).filter(({ created_at: at }) => at > first.created_at).length : 0;
  return {
    visibleItems: newCount > 0 ? paused.items : items,
    waiting: newCount,
    /** Moves the focus to the list, because the pressed button disappears. The list itself does not hold lines back. */
    showNew: () => {
      list.current?.focus({ preventScroll: true });
      setState((previous) => (previous.isHovered ? { ...previous, items, isFocused: false } : unpaused));
    },
    list,
    handlers: {
      // A touch has no hover, and no end of it.
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && pause({ isHovered: true }),
      onPointerLeave: () => pause({ isHovered: false }),
      onFocus: ({ target }: FocusEvent) => pause({ isFocused: target !== list.current }),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) pause({ isFocused: false });
      },
    },
  };
}

const step = 10;
const max = 50;
const pollMs = 20_000;

type Props = {
  search: ActivitySearch;
  onChange: (change: ActivitySearch) => void;
  title?: string;
  /** Limits the feed to one site, on the page of that site. */
  siteId?: string;
};

/** Polls the newest lines; older lines are read once. Another filter starts again at the newest. */
function useActivity({ kind, person, site: siteId }: ActivitySearch) {
  const filter = [kind, person, siteId].join(' ');
  const [expanded, setExpanded] = useState({ filter, limit: step });
  const limit = expanded.filter === filter ? expanded.limit : step;
  const query: ActivityQuery = { limit: step, kind, actor_id: person, site_id: siteId, grouped: '1' };
  const pollingInterval = usePollInterval(activityApi.endpoints.activity.useQueryState(query), pollMs);
  const refetchOnMountOrArgChange = true;
  const newest = activityApi.useActivityQuery(query, { pollingInterval, refetchOnMountOrArgChange, ...whileVisible });
  const older = activityApi.useActivityQuery({ ...query, limit }, { refetchOnMountOrArgChange });
  const { currentData: latest } = newest;
  // The older lines stay while more of them load. The newest must belong to the current filter.
  const olderLines = limit > step ? older.data : undefined;
  const isMissingLines = latest !== undefined && olderLines !== undefined && hasGap(latest.items, olderLines.items);
  const { refetch } = older;
  useEffect(() => {
    if (isMissingLines) void refetch();
  }, [isMissingLines, refetch]);
  const items = useMemo(
    () => latest && joinFeed(latest.items, olderLines?.items ?? [], limit),
    [latest, olderLines, limit],
  );
  const answer = {
    data: items,
    error: newest.error ?? older.error,
    isFetching: newest.isFetching || older.isFetching,
    refetch: () => {
      void newest.refetch();
      if (limit > step) void refetch();
    },
  };
  const hasMore = items !== undefined && items.length >= limit && limit < max;
  const loadMore = () => setExpanded({ filter, limit: limit + step });
  return { answer, filter, query, hasMore, isLoadingMore: older.isFetching, loadMore };
}

const EmptyFeed = ({ search }: { search: ActivitySearch }) =>
  isFiltered(search) ? (
    <EmptyState icon={SearchX} title="Aucune activité ne correspond." />
  ) : (
    <EmptyState icon={History} title="Aucune activité pour l’instant." />
  );

const loadFailed = 'Impossible de charger l’activité récente.';

export function ActivityList({ search, onChange, title = 'Activité récente', siteId }: Props) {
  const { answer, filter, query, hasMore, isLoadingMore, loadMore } = useActivity({ site: siteId, ...search });
  const { visibleItems, waiting: newCount, showNew, list, handlers } = usePausedFeed(answer.data, filter);
  return (
    <Widget
      id="activity"
      title={title}
      answer={answer}
      sentence={failureMessage(answer.error, loadFailed)}
      rows={5}
      tools={<ActivityFilters search={search} isOneSite={siteId !== undefined} onChange={onChange} />}
    >
      <Lines component="div">
        <div {...handlers}>
          {newCount > 0 && <NewLines count={newCount} onShow={showNew} />}
          {visibleItems?.length === 0 && <EmptyFeed search={search} />}
          <Lines ref={list} tabIndex={-1} aria-label={title}>
            {foldLogins(visibleItems ?? []).map(({ item, times }) => (
              <li key={item.run?.id ?? item.id}>
                {item.run ? (
                  <ActivityRun item={item} run={item.run} query={query} />
                ) : (
                  <ActivityLine item={item} times={times} />
                )}
              </li>
            ))}
          </Lines>
        </div>
        {hasMore && (
          <Box p="12px var(--gutter)">
            <Button variant="default" loading={isLoadingMore} onClick={loadMore}>
              Afficher plus
            </Button>
          </Box>
        )}
      </Lines>
    </Widget>
  );
}

const NewLines = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <Group justify="center" p="8px 24px" className={styles['news']}>
    <Button variant="default" leftSection={<ArrowUp size={14} aria-hidden />} onClick={onShow}>
      {`Afficher ${plural(count, 'nouvelle ligne', 'nouvelles lignes')}`}
    </Button>
  </Group>
);
