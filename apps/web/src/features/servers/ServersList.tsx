import { Button } from '@mantine/core';
import type { Server } from '@vigie/contracts/servers';
import { Plus, SearchX, Server as ServerIcon } from 'lucide-react';
import { useListed } from '../../app/useListed';
import { useTests } from '../../app/useTests';
import { ClearFilters } from '../../ui/ClearFilters';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListCount, ListFrame } from '../../ui/ListFrame';
import { Pager } from '../../ui/Pager';
import { plural, spellNumber, spellTests } from '../../ui/plural';
import { SelectionBar } from '../../ui/SelectionBar';
import { Skeleton } from '../../ui/Skeleton';
import { shownPage } from '../../ui/shownPage';
import { usePages } from '../../ui/usePages';
import { useNarrow } from '../../ui/useNarrow';
import { useSelection } from '../../ui/useSelection';
import { useSettled } from '../../ui/useSettled';
import { ServerCards } from './ServerCards';
import { type ListProps, ServersTable } from './ServersTable';
import { ServersToolbar } from './ServersToolbar';
import type { ServersSearch } from './search';
import { type Page, serversApi, statusApi } from './servers.api';
import { useLoads } from './useLoads';
import { useRounds } from './useRounds';

const failed = 'Impossible de charger les serveurs.';
const size = 50;

function useServers({ q = '', group, sort, page = 1 }: ServersSearch) {
  const asked = { q: useSettled(q), sort, group_id: group, limit: size, offset: (page - 1) * size };
  const answer = serversApi.useServersQuery(asked, { refetchOnMountOrArgChange: true });
  return useListed(answer, failed);
}

const isFiltered = ({ q, group }: ServersSearch) => q !== undefined || group !== undefined;

type Props = Pick<ListProps, 'search' | 'deeds' | 'onChange'> & { onAdd: () => void };

function Nothing({ search, onChange, onAdd }: Props) {
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

const countOf = ({ total, offline }: Page): string =>
  `${plural(total, 'serveur', 'serveurs')}${offline > 0 ? `, dont ${spellNumber(offline)} hors ligne` : ''}`;

type ShownProps = Props &
  Pick<ListProps, 'selection' | 'loads'> & { page: Page | undefined; isNarrow: boolean; goTo: (page: number) => void };

function Shown({ page, isNarrow, goTo, ...rest }: ShownProps) {
  const Shape = isNarrow ? ServerCards : ServersTable;
  if (!page) return <Skeleton rows={6} />;
  if (page.items.length === 0) return <Nothing {...rest} />;
  return (
    <>
      <Shape {...rest} servers={page.items} />
      <Pager page={rest.search.page ?? 1} size={size} total={page.total} onChange={goTo} />
    </>
  );
}

/** All there are, or what a search has left on the page, where it has left any. */
function whichTests(search: ServersSearch, shown: readonly string[], { isBusy, run }: ReturnType<typeof useTests>) {
  if (!isFiltered(search)) return { isBusy, label: 'Tester tous', run: () => run() };
  return shown.length > 0 ? { isBusy, label: spellTests(shown.length, 'serveur'), run: () => run(shown) } : undefined;
}

/** Those of the page, and the one in the panel, which may be on another. */
function watched(servers: readonly Server[], open: string | undefined) {
  const shown = servers.map(({ id, status: { checked_at: at } }) => ({ id, seenAt: at ? Date.parse(at) : undefined }));
  const isElsewhere = open !== undefined && !servers.some(({ id }) => id === open);
  return isElsewhere ? [...shown, { id: open, seenAt: undefined }] : shown;
}

export function ServersList(props: Props) {
  const { search, onChange } = props;
  const isNarrow = useNarrow();
  const answer = useServers(search);
  const { data, currentData, isAsking, refresh } = answer;
  const shown = data?.items.map(({ id }) => id) ?? [];
  const rounds = useRounds(watched(data?.items ?? [], search.open));
  const loads = useLoads(shown);
  const selection = useSelection(shown);
  const tests = useTests(statusApi.useTestServersMutation());
  const goTo = usePages({ page: search.page, size, total: currentData?.total }, (next) => onChange({ page: next }));
  const page = shownPage(answer);
  const isFirst = page?.total === 0 && !isFiltered(search);
  return (
    <>
      <ListFrame
        answer={answer}
        tools={
          !isFirst && (
            <>
              <ServersToolbar
                search={search}
                withSort={isNarrow}
                statuses={{ isBusy: rounds.isRefreshing, run: rounds.refresh }}
                list={{ isBusy: isAsking, run: refresh }}
                tests={whichTests(search, shown, tests)}
                onChange={onChange}
              />
              <ListCount at={data && answer.fulfilledTimeStamp}>{data && countOf(data)}</ListCount>
              {tests.failure !== undefined && <Failure sentence={tests.failure} />}
            </>
          )
        }
      >
        <Shown {...props} page={page} isNarrow={isNarrow} goTo={goTo} selection={selection} loads={loads} />
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
