import { Button } from '@mantine/core';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Globe, Plus, SearchX } from 'lucide-react';
import { useState } from 'react';
import { parseSort, sortControls } from '../../kit/list/search-params';
import { sentenceOf } from '../../kit/query/failures';
import { useListQuery } from '../../kit/list/useListQuery';
import { Callout } from '../../ui/Callout';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListCount, ListFrame } from '../../kit/list/ListFrame';
import { Pager } from '../../kit/list/Pager';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { SearchField } from '../../kit/list/SearchField';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { Skeleton } from '../../ui/Skeleton';
import { pageToShow } from '../../kit/list/pageToShow';
import { SortChoice } from '../../kit/list/SortChoice';
import toolbar from '../../ui/Toolbar.module.css';
import { usePages } from '../../kit/list/usePages';
import { useNarrow } from '../../ui/useNarrow';
import { useDebouncedSearch } from '../../kit/list/useDebouncedSearch';
import { AddZone } from './AddZone';
import { NameServers } from './NameServers';
import { type Change, unfiltered, zoneColumns, type ZonesSearch } from './search';
import { type ZoneActions, ZoneCards, ZonesTable, zoneColumnLabels } from './ZonesTable';
import styles from './ZonesTable.module.css';
import { type ZonesPage, zonesApi } from './zones.api';

const loadFailed = 'Failed to load zones';
const pageSize = 50;

type Props = { search: ZonesSearch; show: Change };

function useZones({ q = '', sort, page = 1 }: ZonesSearch) {
  const { column, isDescending } = parseSort(zoneColumns, sort);
  const params = {
    q: useDebouncedSearch(q),
    sort: isDescending ? (`-${column}` as const) : column,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  };
  return useListQuery(zonesApi.useZonesQuery(params, { refetchOnMountOrArgChange: true }), loadFailed);
}

function useRefresh() {
  const [refresh, { isLoading, error }] = zonesApi.useRefreshZonesMutation();
  return { isBusy: isLoading, failure: sentenceOf(error), run: () => void refresh() };
}

function Toolbar({ search, show, withSort }: Props & { withSort: boolean }) {
  const refresh = useRefresh();
  return (
    <>
      <div className={toolbar['toolbar']}>
        <search className={toolbar['filters']}>
          <SearchField
            label="Rechercher une zone"
            className={toolbar['search']}
            value={search.q ?? ''}
            onChange={(q) => show({ q: q || undefined, page: undefined })}
          />
          {withSort && <SortChoice {...sortControls(zoneColumns, zoneColumnLabels, search.sort, show)} />}
        </search>
        <div className={toolbar['actions']}>
          <RefreshButton {...refresh}>Actualiser</RefreshButton>
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => show({ add: true })}>
            Nouvelle zone
          </Button>
        </div>
      </div>
      {refresh.failure !== undefined && <Failure sentence={refresh.failure} />}
    </>
  );
}

function EmptyZones({ search, show }: Props) {
  if (search.q !== undefined) {
    return (
      <EmptyState
        icon={SearchX}
        title="Aucune zone ne correspond."
        actions={
          <Button variant="default" onClick={() => show({ q: undefined, page: undefined })}>
            Effacer la recherche
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState icon={Globe} title="Aucune zone pour l’instant.">
      <p>
        {
          'Ajoutez un domaine à votre compte Cloudflare, ou vérifiez les permissions du jeton\u00a0: Vigie ne voit que les zones qu’il permet de lire.'
        }
      </p>
    </EmptyState>
  );
}

type ZonesListProps = Props & {
  page: ZonesPage | undefined;
  goTo: (page: number) => void;
  isNarrow: boolean;
  actions: ZoneActions;
};

function ZonesList({ page, goTo, isNarrow, actions, search, show }: ZonesListProps) {
  const Layout = isNarrow ? ZoneCards : ZonesTable;
  if (!page) return <Skeleton rows={6} />;
  if (page.zones.length === 0) return <EmptyZones search={search} show={show} />;
  return (
    <>
      <Layout
        zones={page.zones}
        actions={actions}
        sorting={sortControls(zoneColumns, zoneColumnLabels, search.sort, show)}
      />
      <Pager page={search.page ?? 1} size={pageSize} total={page.total} onChange={goTo} />
    </>
  );
}

export function ZonesTab({ search, show }: Props) {
  const isNarrow = useNarrow();
  const answer = useZones(search);
  const { data, currentData } = answer;
  const [nameServersZone, setNameServersZone] = useState<DnsZone>();
  const goTo = usePages({ page: search.page, size: pageSize, total: currentData?.total }, (next) =>
    show({ page: next }),
  );
  return (
    <>
      <ListFrame
        answer={answer}
        tools={
          <>
            <Toolbar search={search} show={show} withSort={isNarrow} />
            <ListCount at={data && new Date(data.updated_at).getTime()}>
              {data && plural(data.total, 'zone', 'zones')}
            </ListCount>
            {data && data.problem !== null && (
              <Callout tone="warn">
                <p>{data.problem}</p>
              </Callout>
            )}
          </>
        }
      >
        <ZonesList
          page={pageToShow(answer)}
          goTo={goTo}
          isNarrow={isNarrow}
          actions={{ showNameServers: setNameServersZone }}
          search={search}
          show={show}
        />
      </ListFrame>
      {nameServersZone && (
        <SidePanel
          title={`Serveurs de noms de ${nameServersZone.display_name}`}
          onClose={() => setNameServersZone(undefined)}
        >
          <div className={styles['side']}>
            <NameServers zone={nameServersZone} />
          </div>
        </SidePanel>
      )}
      {search.add && (
        <AddZone
          onOpen={({ ref }) => show({ ...unfiltered, tab: 'dns', zone: ref }, { isStep: true, isSaved: true })}
          onClose={(isSaved) => show({ add: undefined }, { isSaved })}
        />
      )}
    </>
  );
}
