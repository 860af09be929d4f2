import { Text } from '@mantine/core';
import { maxSites } from '@vigie/contracts/site-batches';
import { type SiteItem, testSites } from '@vigie/contracts/sites';
import { type ReactNode, useState } from 'react';
import { allows } from '../../kit/fleet/roles';
import { useTests } from '../../kit/job/useBatch';
import { Failure } from '../../ui/Failure';
import { ListScreen } from '../../kit/list/ListScreen';
import { TimeAgo } from '../../ui/TimeAgo';
import { testLabel } from '../../ui/plural';
import { pageToShow } from '../../kit/list/usePages';
import { useSelection } from '../../kit/list/useSelection';
import { NoSites } from './NoSites';
import { type BulkActions, SelectedSites } from './SelectedSites';
import { type ListProps, SitesTable } from './SitesTable';
import { SearchTokens } from './SearchTokens';
import { SitesHead } from './SitesHead';
import type { SitesMenuActions } from './SitesMenus';
import { isFiltered, type SitesSearch, unfiltered } from './search';
import { sitesApi } from './sites.api';
import { isLong, noParts, useSites, useSitesFilter, type VisibleParts } from './useSites';

type Props = Pick<ListProps, 'search' | 'actions' | 'onChange'> & { onAdd: () => void };

/** Tests all sites, or those of the page while a filter is on. */
const testButton = (search: SitesSearch, siteIds: readonly string[], run: (ids?: readonly string[]) => void) =>
  isFiltered(search) && siteIds.length > 0
    ? { label: testLabel(Math.min(siteIds.length, maxSites), 'site'), run: () => run(siteIds.slice(0, maxSites)) }
    : { label: 'Tester tout', run: () => run() };

type TestsOptions = { search: SitesSearch; ids: readonly string[]; loaded: readonly SiteItem[] };

/** Without a button where the caller may test none of these sites. */
function useSiteTests({ search, ids, loaded }: TestsOptions, onStarted: (jobId: string) => void) {
  const tests = useTests(sitesApi.useTestSitesMutation(), onStarted);
  const refused = loaded.filter((site) => !allows(site, testSites)).map(({ id }) => id);
  const testable = ids.filter((id) => !refused.includes(id));
  const button = { ...tests, ...testButton(search, testable, tests.run) };
  return { failure: tests.failure, button: testable.length === 0 && ids.length > 0 ? undefined : button };
}

/** Scrolling reports the same parts again and again. */
function useParts() {
  const [parts, setParts] = useState(noParts);
  const change = (next: VisibleParts) =>
    setParts((current) =>
      current.first === next.first && current.last === next.last && current.focused === next.focused ? current : next,
    );
  return [parts, change] as const;
}

const FreshAt = ({ at }: { at: number }) => (
  <Text c="subtle" fz={12} mt={-4}>
    {'Actualisé '}
    <TimeAgo at={new Date(at).toISOString()} often />
  </Text>
);

/** Rows of the placeholder: a screenful, so that the list that replaces it moves nothing. */
const placeholderRows = 14;

type SitesListProps = Props &
  BulkActions & {
    menu: SitesMenuActions;
    views: ReactNode;
    /** The outcome of the last bulk action. */
    outcome: ReactNode;
    onStarted: (jobId: string) => void;
    /** Changes after each bulk action, which clears the selection. */
    selectionKey: number;
  };

/** The page of the list that the address asks for, and the selection of its rows. */
function useSitesPage(search: SitesSearch, selectionKey: number) {
  const { page = 1, size = 50 } = search;
  const filter = useSitesFilter(search);
  const [parts, setParts] = useParts();
  const { ids = [], count, rowAt, heartbeats, ...sites } = useSites(filter, { page, size }, parts);
  const { sort: _, ...filters } = filter;
  const selection = useSelection(ids, { query: JSON.stringify([selectionKey, filters]), max: maxSites });
  const { data, currentData } = sites.answer;
  const isEmpty = pageToShow(sites.answer)?.total === 0;
  return {
    ...sites,
    ids,
    /** The selection, and what its actions need to know of the list. */
    selected: { selection, filter, sites: sites.loaded, total: data?.total ?? 0 },
    size,
    rows: {
      count,
      rowAt,
      heartbeats,
      isLong: isLong(size),
      start: (page - 1) * size,
      total: data?.total ?? 0,
      onParts: setParts,
    },
    total: data?.total,
    hasNoSites: isEmpty && !isFiltered(search),
    /** The search that found nothing. */
    emptyQuery: currentData?.total === 0 ? filter.q : undefined,
  };
}

type SearchedForProps = Pick<SitesListProps, 'onChange'> & { q: string | undefined; emptyQuery: string | undefined };

const SearchedFor = ({ q = '', emptyQuery, onChange }: SearchedForProps) => (
  <SearchTokens
    q={q}
    emptyQuery={emptyQuery}
    onChange={(next) => onChange({ q: next || undefined, page: undefined })}
  />
);

export function SitesList({
  menu,
  views,
  outcome,
  selectionKey,
  onUpdate,
  onBatch,
  onCommand,
  onGive,
  onAdd,
  onStarted,
  ...props
}: SitesListProps) {
  const { search, onChange } = props;
  const page = useSitesPage(search, selectionKey);
  const { answer, selected, rows, hasNoSites, total } = page;
  const tests = useSiteTests({ search, ...page }, onStarted);
  const list = { isBusy: answer.isRefreshing, run: answer.refresh };
  return (
    <>
      <SitesHead {...{ search, onChange, onAdd, menu, views, list, hasNoSites, total }} tests={tests.button} />
      {tests.failure !== undefined && <Failure sentence={tests.failure} />}
      <SearchedFor q={search.q} emptyQuery={page.emptyQuery} onChange={onChange} />
      {outcome}
      <ListScreen
        answer={answer}
        page={search.page}
        pageSize={page.size}
        onPage={(next) => onChange({ page: next })}
        noMatch={isFiltered(search) && { title: 'Aucun site ne correspond.', onClear: () => onChange(unfiltered) }}
        empty={<NoSites onAdd={onAdd} {...menu} />}
        placeholderRows={placeholderRows}
      >
        {() => <SitesTable {...props} {...rows} selection={selected.selection} />}
      </ListScreen>
      {answer.fulfilledTimeStamp !== undefined && <FreshAt at={answer.fulfilledTimeStamp} />}
      <SelectedSites {...selected} {...{ onUpdate, onBatch, onCommand, onGive }} onExport={menu.onExport} />
    </>
  );
}
