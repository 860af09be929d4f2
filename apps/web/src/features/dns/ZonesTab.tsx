import { Box, Button } from '@mantine/core';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import { parseSort, sortControls } from '../../kit/list/search-params';
import { sentenceOf } from '../../kit/query/failures';
import { useListQuery } from '../../kit/list/useListQuery';
import { Callout } from '../../ui/Callout';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListCount, ListScreen } from '../../kit/list/ListScreen';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { SearchField, useDebouncedSearch } from '../../kit/list/SearchField';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { SortChoice } from '../../kit/list/SortChoice';
import toolbar from '../../ui/Toolbar.module.css';
import { useNarrow } from '../../ui/useNarrow';
import { AddZone } from './AddZone';
import { NameServers } from './NameServers';
import { type Change, unfiltered, zoneColumns, type ZonesSearch } from './search';
import { ZonesTable, zoneColumnLabels } from './ZonesTable';
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

function Tools({ search, show, withSort, zones }: Props & { withSort: boolean; zones: ZonesPage | undefined }) {
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
      <ListCount at={zones && new Date(zones.updated_at).getTime()}>
        {zones && plural(zones.total, 'zone', 'zones')}
      </ListCount>
      {zones && zones.problem !== null && (
        <Callout tone="warn">
          <p>{zones.problem}</p>
        </Callout>
      )}
    </>
  );
}

const NoZones = () => (
  <EmptyState icon={Globe} title="Aucune zone pour l’instant.">
    <p>
      {
        'Ajoutez un domaine à votre compte Cloudflare. S’il y est déjà, vérifiez les permissions du jeton\u00a0: il ne permet pas de le lire.'
      }
    </p>
  </EmptyState>
);

export function ZonesTab({ search, show }: Props) {
  const isNarrow = useNarrow();
  const answer = useZones(search);
  const [nameServersZone, setNameServersZone] = useState<DnsZone>();
  return (
    <>
      <ListScreen
        answer={answer}
        tools={<Tools search={search} show={show} withSort={isNarrow} zones={answer.data} />}
        page={search.page}
        pageSize={pageSize}
        onPage={(page) => show({ page })}
        noMatch={
          search.q !== undefined && {
            title: 'Aucune zone ne correspond.',
            label: 'Effacer la recherche',
            onClear: () => show({ q: undefined, page: undefined }),
          }
        }
        empty={<NoZones />}
      >
        {({ zones }) => (
          <ZonesTable
            zones={zones}
            showNameServers={setNameServersZone}
            sorting={sortControls(zoneColumns, zoneColumnLabels, search.sort, show)}
          />
        )}
      </ListScreen>
      {nameServersZone && <NameServersPanel zone={nameServersZone} onClose={() => setNameServersZone(undefined)} />}
      {search.add && (
        <AddZone
          onOpen={({ ref }) => show({ ...unfiltered, tab: 'dns', zone: ref }, { isStep: true, isSaved: true })}
          onClose={(isSaved) => show({ add: undefined }, { isSaved })}
        />
      )}
    </>
  );
}

function NameServersPanel({ zone, onClose }: { zone: DnsZone; onClose: () => void }) {
  return (
    <SidePanel title={`Serveurs de noms de ${zone.display_name}`} onClose={onClose}>
      <Box p="16px var(--gutter) 24px">
        <NameServers zone={zone} />
      </Box>
    </SidePanel>
  );
}
