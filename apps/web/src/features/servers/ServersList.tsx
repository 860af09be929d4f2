import { Button } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { CloudOff, Plus, SearchX, Server as ServerIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isApiError, sentenceOf } from '../../app/api-error';
import { tellFailure } from '../../app/tellFailure';
import { useBatch } from '../../app/useBatch';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { Pager } from '../../ui/Pager';
import { plural } from '../../ui/plural';
import { SelectionBar } from '../../ui/SelectionBar';
import { Skeleton } from '../../ui/Skeleton';
import { shownPage } from '../../ui/shownPage';
import { useExistingPage } from '../../ui/useExistingPage';
import { useSelection } from '../../ui/useSelection';
import { When } from '../../ui/When';
import { ServerCards } from './ServerCards';
import styles from './ServersList.module.css';
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
  const { error, refetch } = answer;
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (error) tellFailure(error, failed);
  }, [error]);
  const refresh = async () => {
    setAsking(true);
    await refetch();
    setAsking(false);
  };
  const sentence = error && ((isApiError(error) && sentenceOf(error)) || failed);
  return { ...answer, sentence, isAsking, refresh: () => void refresh() };
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
          <Button variant="default" onClick={() => onChange({ q: undefined, group: undefined, page: undefined })}>
            {search.group === undefined ? 'Effacer la recherche' : 'Effacer les filtres'}
          </Button>
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

function Count({ page, at = 0 }: { page: Page | undefined; at: number | undefined }) {
  const down = page?.items.filter(({ status }) => status.online === false).length ?? 0;
  return (
    <div className={styles['count']}>
      <output>
        {page && plural(page.total, 'serveur', 'serveurs')}
        {down > 0 && `, dont ${down} hors ligne`}
      </output>
      {page && (
        <>
          {' · Actualisé '}
          <When at={new Date(at).toISOString()} often />
        </>
      )}
    </div>
  );
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

export function ServersList(props: Props) {
  const { search, onChange } = props;
  const isNarrow = useMediaQuery('(width < 900px)', undefined, { getInitialValueInEffect: false });
  const { data, currentData, sentence, isFetching, isAsking, refresh, fulfilledTimeStamp } = useServers(search);
  const shown = data?.items.map(({ id }) => id) ?? [];
  const rounds = useRounds(search.open === undefined ? shown : [...new Set([...shown, search.open])]);
  const loads = useLoads(shown);
  const selection = useSelection(shown);
  const tests = useBatch(statusApi.useTestServersMutation());
  const goTo = (next: number) => onChange({ page: next > 1 ? next : undefined });
  useExistingPage(search.page ?? 1, currentData && Math.max(1, Math.ceil(currentData.total / size)), goTo);
  const again = (
    <Button variant="default" loading={isFetching} onClick={refresh}>
      Réessayer
    </Button>
  );
  if (!data && sentence !== undefined) {
    return (
      <div className={styles['list']}>
        <EmptyState icon={CloudOff} title={sentence} actions={again} />
      </div>
    );
  }
  const page = shownPage({ data, currentData, isFetching });
  const isFirst = page?.total === 0 && !isFiltered(search);
  return (
    <>
      <Failure sentence={sentence}>{again}</Failure>
      {!isFirst && (
        <>
          <ServersToolbar
            search={search}
            withSort={isNarrow}
            statuses={{ isBusy: rounds.isRefreshing, run: rounds.refresh }}
            list={{ isBusy: isAsking, run: refresh }}
            tests={{ isBusy: tests.isBusy, ...whichTests(search, shown, tests.run) }}
            onChange={onChange}
          />
          <Count page={data} at={fulfilledTimeStamp} />
        </>
      )}
      <div className={styles['list']}>
        <Shown {...props} page={page} isNarrow={isNarrow} goTo={goTo} selection={selection} loads={loads} />
      </div>
      {selection.ids.length > 0 && (
        <SelectionBar
          count={plural(selection.ids.length, 'serveur sélectionné', 'serveurs sélectionnés')}
          isBusy={tests.isBusy}
          onTest={() => tests.run(selection.ids)}
          onClear={() => selection.chooseAll(false)}
        />
      )}
    </>
  );
}
