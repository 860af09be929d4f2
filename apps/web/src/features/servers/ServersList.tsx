import { Button } from '@mantine/core';
import type { Server } from '@vigie/contracts/servers';
import { PlugZap, Plus, Server as ServerIcon } from 'lucide-react';
import { useListQuery } from '../../kit/list/useListQuery';
import { useTests } from '../../kit/job/useBatch';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListCount, ListScreen } from '../../kit/list/ListScreen';
import { plural, formatNumber, testLabel } from '../../ui/plural';
import { SelectionBar } from '../../kit/list/SelectionBar';
import { pageToShow } from '../../kit/list/usePages';
import { useNarrow } from '../../ui/useNarrow';
import { type Selection, useSelection } from '../../kit/list/useSelection';
import { useDebouncedSearch } from '../../kit/list/SearchField';
import { type ListProps, ServersTable } from './ServersTable';
import { ServersToolbar } from './ServersToolbar';
import type { ServersSearch } from './search';
import { type Page, serversApi, statusApi } from './servers.api';
import { useStatusPolling } from './useStatusPolling';
import { skipToken } from '@reduxjs/toolkit/query';
import type { HealthItem } from '@vigie/contracts/server-health';
import { type ComponentProps, useMemo } from 'react';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';

const pollMs = 60_000;

/** Loads the load history of the shown servers in one request. */
function useLoads(serverIds: readonly string[]): ReadonlyMap<string, HealthItem> {
  const ids = serverIds.length > 0 ? serverIds.toSorted() : skipToken;
  const pollingInterval = usePollInterval(statusApi.endpoints.loads.useQueryState(ids), pollMs);
  const { data } = statusApi.useLoadsQuery(ids, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
  return useMemo(() => new Map(data?.map((item) => [item.id, item])), [data]);
}

const loadFailed = 'Impossible de charger les serveurs.';
const pageSize = 50;

function useServers({ q = '', group: groupId, sort, page = 1 }: ServersSearch) {
  const params = { q: useDebouncedSearch(q), sort, group_id: groupId, limit: pageSize, offset: (page - 1) * pageSize };
  const answer = serversApi.useServersQuery(params, { refetchOnMountOrArgChange: true });
  return useListQuery(answer, loadFailed);
}

const isFiltered = ({ q, group: groupId }: ServersSearch) => q !== undefined || groupId !== undefined;

type Props = Pick<ListProps, 'search' | 'actions' | 'onChange'> & {
  /** Why the last test could not be started. */
  failure: string | undefined;
  onAdd: () => void;
};

const NoServers = ({ onAdd }: Pick<Props, 'onAdd'>) => (
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

/** The text of the empty list while a filter is on. */
const noMatch = ({ search, onChange }: Props) =>
  isFiltered(search) && {
    title: 'Aucun serveur ne correspond.',
    ...(search.group === undefined && { label: 'Effacer la recherche' }),
    onClear: () => onChange({ q: undefined, group: undefined, page: undefined }),
  };

const countOf = ({ total, offline = 0 }: Page): string =>
  `${plural(total, 'serveur', 'serveurs')}${offline > 0 ? `, dont ${formatNumber(offline)} hors ligne` : ''}`;

/** Tests all servers, or those of the page while a filter is on. */
function testButton(search: ServersSearch, shownIds: readonly string[], { isBusy, run }: ReturnType<typeof useTests>) {
  if (!isFiltered(search)) return { isBusy, label: 'Tester tous', run: () => run() };
  return shownIds.length > 0
    ? { isBusy, label: testLabel(shownIds.length, 'serveur'), run: () => run(shownIds) }
    : undefined;
}

const toPoll = (servers: readonly Server[]) =>
  servers.map(({ id, status: { checked_at: at } }) => ({ id, checkedAt: at === null ? undefined : Date.parse(at) }));

export function ServersList(props: Props) {
  const { search, actions, onChange, onAdd } = props;
  const isNarrow = useNarrow();
  const answer = useServers(search);
  const { data } = answer;
  const shownIds = data?.items.map(({ id }) => id) ?? [];
  const polling = useStatusPolling(toPoll(data?.items ?? []));
  const loads = useLoads(shownIds);
  const selection = useSelection(shownIds);
  const tests = useTests(statusApi.useTestServersMutation());
  const hasNoServers = pageToShow(answer)?.total === 0 && !isFiltered(search);
  const tools = !hasNoServers && (
    <Tools
      {...{ search, onChange, answer }}
      withSort={isNarrow}
      statuses={{ isBusy: polling.isRefreshing, run: polling.refresh }}
      tests={testButton(search, shownIds, tests)}
      failure={tests.failure ?? props.failure}
    />
  );
  return (
    <>
      <ListScreen
        answer={answer}
        tools={tools}
        page={search.page}
        pageSize={pageSize}
        onPage={(page) => onChange({ page })}
        noMatch={noMatch(props)}
        empty={<NoServers onAdd={onAdd} />}
      >
        {({ items }) => <ServersTable {...{ search, actions, onChange, selection, loads }} servers={items} />}
      </ListScreen>
      <SelectedServers selection={selection} tests={tests} />
    </>
  );
}

type ToolsProps = Omit<ComponentProps<typeof ServersToolbar>, 'list'> & {
  answer: ReturnType<typeof useServers>;
  failure: string | undefined;
};

function Tools({ answer, failure, ...toolbar }: ToolsProps) {
  const { data, isRefreshing: isBusy, refresh: run, fulfilledTimeStamp } = answer;
  return (
    <>
      <ServersToolbar {...toolbar} list={{ isBusy, run }} />
      <ListCount at={data && fulfilledTimeStamp}>{data && countOf(data)}</ListCount>
      {failure !== undefined && <Failure sentence={failure} />}
    </>
  );
}

type SelectedServersProps = { selection: Selection; tests: ReturnType<typeof useTests> };

function SelectedServers({ selection, tests }: SelectedServersProps) {
  return (
    <SelectionBar
      selection={selection}
      count={plural(selection.ids.length, 'serveur sélectionné', 'serveurs sélectionnés')}
    >
      <Button
        loading={tests.isBusy}
        leftSection={<PlugZap size={16} aria-hidden />}
        onClick={() => tests.run(selection.ids)}
      >
        Tester
      </Button>
    </SelectionBar>
  );
}
