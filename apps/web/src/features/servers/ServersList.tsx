import { Button } from '@mantine/core';
import type { Server } from '@vigie/contracts/servers';
import { Plus, SearchX, Server as ServerIcon } from 'lucide-react';
import { useListQuery } from '../../kit/list/useListQuery';
import { useTests } from '../../kit/job/useTests';
import { ClearFilters } from '../../kit/list/ClearFilters';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListCount, ListFrame } from '../../kit/list/ListFrame';
import { Pager } from '../../kit/list/Pager';
import { plural, formatNumber, testLabel } from '../../ui/plural';
import { SelectionBar } from '../../kit/list/SelectionBar';
import { Skeleton } from '../../ui/Skeleton';
import { pageToShow } from '../../kit/list/pageToShow';
import { usePages } from '../../kit/list/usePages';
import { useNarrow } from '../../ui/useNarrow';
import { useSelection } from '../../kit/list/useSelection';
import { useDebouncedSearch } from '../../kit/list/useDebouncedSearch';
import { ServerCards } from './ServerCards';
import { type ListProps, ServersTable } from './ServersTable';
import { ServersToolbar } from './ServersToolbar';
import type { ServersSearch } from './search';
import { type Page, serversApi, statusApi } from './servers.api';
import { useLoads } from './useLoads';
import { useStatusPolling } from './useStatusPolling';

const loadFailed = 'Impossible de charger les serveurs.';
const pageSize = 50;

function useServers({ q = '', group: groupId, sort, page = 1 }: ServersSearch) {
  const params = { q: useDebouncedSearch(q), sort, group_id: groupId, limit: pageSize, offset: (page - 1) * pageSize };
  const answer = serversApi.useServersQuery(params, { refetchOnMountOrArgChange: true });
  return useListQuery(answer, loadFailed);
}

const isFiltered = ({ q, group: groupId }: ServersSearch) => q !== undefined || groupId !== undefined;

type Props = Pick<ListProps, 'search' | 'actions' | 'onChange'> & { onAdd: () => void };

function EmptyServers({ search, onChange, onAdd }: Props) {
  if (isFiltered(search)) {
    return (
      <EmptyState
        icon={SearchX}
        title="Aucun serveur ne correspond."
        actions={
          <ClearFilters
            {...(search.group === undefined && { label: 'Effacer la recherche' })}
            onClear={() => onChange({ q: undefined, group: undefined, page: undefined })}
          />
        }
      />
    );
  }
  return (
    <EmptyState
      icon={ServerIcon}
      title="Aucun serveur pour l’instant."
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={onAdd}>
          Ajouter un serveur
        </Button>
      }
    >
      <p>
        {
          'Ajoutez la machine qui héberge vos sites. Un accès SSH suffit\u00a0: Vigie peut créer la clé, et rien n’est à installer sur le serveur.'
        }
      </p>
    </EmptyState>
  );
}

const countOf = ({ total, offline = 0 }: Page): string =>
  `${plural(total, 'serveur', 'serveurs')}${offline > 0 ? `, dont ${formatNumber(offline)} hors ligne` : ''}`;

type ServersOfPageProps = Props &
  Pick<ListProps, 'selection' | 'loads'> & { page: Page | undefined; isNarrow: boolean; goTo: (page: number) => void };

function ServersOfPage({ page, isNarrow, goTo, ...rest }: ServersOfPageProps) {
  const Layout = isNarrow ? ServerCards : ServersTable;
  if (!page) return <Skeleton rows={6} />;
  if (page.items.length === 0) return <EmptyServers {...rest} />;
  return (
    <>
      <Layout {...rest} servers={page.items} />
      <Pager page={rest.search.page ?? 1} size={pageSize} total={page.total} onChange={goTo} />
    </>
  );
}

/** Tests all servers, or those of the page while a filter is on. */
function testButton(search: ServersSearch, shownIds: readonly string[], { isBusy, run }: ReturnType<typeof useTests>) {
  if (!isFiltered(search)) return { isBusy, label: 'Tester tous', run: () => run() };
  return shownIds.length > 0
    ? { isBusy, label: testLabel(shownIds.length, 'serveur'), run: () => run(shownIds) }
    : undefined;
}

/** The servers of the page, and the one in the panel, which may be on another page. */
function serversToPoll(servers: readonly Server[], open: string | undefined) {
  const shownServers = servers.map(({ id, status: { checked_at: at } }) => ({
    id,
    checkedAt: at ? Date.parse(at) : undefined,
  }));
  const isOpenElsewhere = open !== undefined && !servers.some(({ id }) => id === open);
  return isOpenElsewhere ? [...shownServers, { id: open, checkedAt: undefined }] : shownServers;
}

export function ServersList(props: Props) {
  const { search, onChange } = props;
  const isNarrow = useNarrow();
  const answer = useServers(search);
  const { data, currentData, isRefreshing, refresh } = answer;
  const shownIds = data?.items.map(({ id }) => id) ?? [];
  const polling = useStatusPolling(serversToPoll(data?.items ?? [], search.open));
  const loads = useLoads(shownIds);
  const selection = useSelection(shownIds);
  const tests = useTests(statusApi.useTestServersMutation());
  const goTo = usePages({ page: search.page, size: pageSize, total: currentData?.total }, (next) =>
    onChange({ page: next }),
  );
  const page = pageToShow(answer);
  const hasNoServers = page?.total === 0 && !isFiltered(search);
  return (
    <>
      <ListFrame
        answer={answer}
        tools={
          !hasNoServers && (
            <>
              <ServersToolbar
                search={search}
                withSort={isNarrow}
                statuses={{ isBusy: polling.isRefreshing, run: polling.refresh }}
                list={{ isBusy: isRefreshing, run: refresh }}
                tests={testButton(search, shownIds, tests)}
                onChange={onChange}
              />
              <ListCount at={data && answer.fulfilledTimeStamp}>{data && countOf(data)}</ListCount>
              {tests.failure !== undefined && <Failure sentence={tests.failure} />}
            </>
          )
        }
      >
        <ServersOfPage {...props} page={page} isNarrow={isNarrow} goTo={goTo} selection={selection} loads={loads} />
      </ListFrame>
      {selection.ids.length > 0 && (
        <SelectionBar
          count={plural(selection.ids.length, 'serveur sélectionné', 'serveurs sélectionnés')}
          tests={{ isBusy: tests.isBusy, run: () => tests.run(selection.ids) }}
          onClear={() => selection.chooseAll(false)}
        />
      )}
    </>
  );
}
