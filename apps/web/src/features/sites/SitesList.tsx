import { Button, Text } from '@mantine/core';
import { maxSites } from '@vigie/contracts/site-batches';
import { FolderSearch, PanelsTopLeft, Plus, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTests } from '../../kit/job/useBatch';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListScreen } from '../../kit/list/ListScreen';
import { TimeAgo } from '../../ui/TimeAgo';
import { testLabel } from '../../ui/plural';
import { pageToShow } from '../../kit/list/usePages';
import { useSelection } from '../../kit/list/useSelection';
import { type BulkActions, SelectedSites } from './SelectedSites';
import { type ListProps, SitesTable } from './SitesTable';
import { SearchTokens } from './SearchTokens';
import { SitesHead } from './SitesHead';
import type { SitesMenuActions } from './SitesMenus';
import { isFiltered, type SitesSearch, unfiltered } from './search';
import { sitesApi } from './sites.api';
import { isLong, noParts, useSites, useSitesFilter, type VisibleParts } from './useSites';

type Props = Pick<ListProps, 'search' | 'actions' | 'onChange'> & { onAdd: () => void };

type NoSitesProps = Pick<Props, 'onAdd'> & Omit<SitesMenuActions, 'onExport'>;

const NoSites = ({ onAdd, onDiscover, onImportCsv }: NoSitesProps) => (
  <EmptyState
    icon={PanelsTopLeft}
    title="Aucun site pour l’instant."
    actions={
      <>
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={onAdd}>
          Nouveau site
        </Button>
        <Button variant="default" leftSection={<FolderSearch size={16} aria-hidden />} onClick={onDiscover}>
          Découvrir ceux d’un serveur
        </Button>
        <Button variant="default" leftSection={<Upload size={16} aria-hidden />} onClick={onImportCsv}>
          Importer un CSV
        </Button>
      </>
    }
  >
    <p>
      {
        'Ajoutez un site WordPress\u00a0: Vigie lit ses versions et ses mises à jour par SSH, sans rien y installer. Elle peut aussi trouver elle-même ceux d’un serveur, ou les prendre dans un tableau.'
      }
    </p>
  </EmptyState>
);

/** Tests all sites, or those of the page while a filter is on. */
const testButton = (search: SitesSearch, siteIds: readonly string[], run: (ids?: readonly string[]) => void) =>
  isFiltered(search) && siteIds.length > 0
    ? { label: testLabel(Math.min(siteIds.length, maxSites), 'site'), run: () => run(siteIds.slice(0, maxSites)) }
    : { label: 'Tester tout', run: () => run() };

function useSiteTests(search: SitesSearch, siteIds: readonly string[], onStarted: (jobId: string) => void) {
  const tests = useTests(sitesApi.useTestSitesMutation(), onStarted);
  return { ...tests, ...testButton(search, siteIds, tests.run) };
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
  const { ids = [], ...sites } = useSites(filter, { page, size }, parts);
  const { sort: _, ...filters } = filter;
  const selection = useSelection(ids, { query: JSON.stringify([selectionKey, filters]), max: maxSites });
  const { data, currentData } = sites.answer;
  const isEmpty = pageToShow(sites.answer)?.total === 0;
  return {
    ...sites,
    ids,
    filter,
    selection,
    size,
    start: (page - 1) * size,
    onParts: setParts,
    total: data?.total,
    hasNoSites: isEmpty && !isFiltered(search),
    /** The search that found nothing. */
    emptyQuery: currentData?.total === 0 ? filter.q : undefined,
  };
}

export function SitesList({
  menu,
  views,
  outcome,
  selectionKey,
  onUpdate,
  onBatch,
  onAdd,
  onStarted,
  ...props
}: SitesListProps) {
  const { search, onChange } = props;
  const { answer, count, rowAt, ids, filter, selection, ...page } = useSitesPage(search, selectionKey);
  const { start, size, total = 0, onParts, hasNoSites, emptyQuery } = page;
  const tests = useSiteTests(search, ids, onStarted);
  const list = { isBusy: answer.isRefreshing, run: answer.refresh };
  const changeQuery = (q: string) => onChange({ q: q || undefined, page: undefined });
  return (
    <>
      <SitesHead {...{ search, onChange, onAdd, menu, views, tests, list, hasNoSites }} total={page.total} />
      {tests.failure !== undefined && <Failure sentence={tests.failure} />}
      <SearchTokens q={search.q ?? ''} emptyQuery={emptyQuery} onChange={changeQuery} />
      {outcome}
      <ListScreen
        answer={answer}
        page={search.page}
        pageSize={size}
        onPage={(next) => onChange({ page: next })}
        noMatch={isFiltered(search) && { title: 'Aucun site ne correspond.', onClear: () => onChange(unfiltered) }}
        empty={<NoSites onAdd={onAdd} {...menu} />}
        placeholderRows={placeholderRows}
      >
        {() => <SitesTable {...props} {...{ count, rowAt, selection, start, total, onParts }} isLong={isLong(size)} />}
      </ListScreen>
      {answer.fulfilledTimeStamp !== undefined && <FreshAt at={answer.fulfilledTimeStamp} />}
      <SelectedSites {...{ selection, filter, total, onUpdate, onBatch }} onExport={menu.onExport} />
    </>
  );
}
