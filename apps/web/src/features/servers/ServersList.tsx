import { Button } from '@mantine/core';
import type { Server } from '@vigie/contracts/servers';
import { useDebouncedValue } from '@mantine/hooks';
import { Plus, SearchX, Server as ServerIcon } from 'lucide-react';
import { useBatch } from '../../app/useBatch';
import { useListed } from '../../app/useListed';
import { ClearFilters } from '../../ui/ClearFilters';
import { EmptyState } from '../../ui/EmptyState';
import { ListCount, ListFrame } from '../../ui/ListFrame';
import { Pager } from '../../ui/Pager';
import { plural } from '../../ui/plural';
import { SelectionBar } from '../../ui/SelectionBar';
import { Skeleton } from '../../ui/Skeleton';
import { shownPage } from '../../ui/shownPage';
import { useExistingPage } from '../../ui/useExistingPage';
import { useNarrow } from '../../ui/useNarrow';
import { useSelection } from '../../ui/useSelection';
import { ServerCards } from './ServerCards';
import { type ListProps, ServersTable } from './ServersTable';
import { ServersToolbar } from './ServersToolbar';
import type { ServersSearch } from './search';
import { type Page, serversApi, statusApi } from './servers.api';
import { useLoads } from './useLoads';
import { useRounds } from './useRounds';

const failed = 'Impossible de charger les serveurs.';
const size = 50;
const typingMs = 250;

function useServers({ q = '', group, sort = 'name', page = 1 }: ServersSearch) {
  const [typed] = useDebouncedValue(q, typingMs);
  // What is taken away is not typed letter by letter.
  const asked = { q: q === '' ? '' : typed, sort, group_id: group, limit: size, offset: (page - 1) * size };
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

function countOf({ items, total }: Page): string {
  const down = items.filter(({ status }) => status.online === false).length;
  return `${plural(total, 'serveur', 'serveurs')}${down > 0 ? `, dont ${down} hors ligne` : ''}`;
}

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

/** All there are, or what a search has left on the page. */
const whichTests = (search: ServersSearch, shown: readonly string[], run: (ids?: readonly string[]) => void) =>
  !isFiltered(search)
    ? { label: 'Tester tous', run: () => run() }
    : { label: `Tester les ${shown.length} affichés`, run: () => run(shown) };

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
  const tests = useBatch(statusApi.useTestServersMutation());
  const goTo = (next: number) => onChange({ page: next > 1 ? next : undefined });
  useExistingPage(search.page ?? 1, currentData && Math.max(1, Math.ceil(currentData.total / size)), goTo);
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
                tests={{ isBusy: tests.isBusy, ...whichTests(search, shown, tests.run) }}
                onChange={onChange}
              />
              <ListCount at={data && answer.fulfilledTimeStamp}>{data && countOf(data)}</ListCount>
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
