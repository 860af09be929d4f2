import { Group } from '@mantine/core';
import type { Delivery, DeliveryState } from '@vigie/contracts/channels';
import { MailCheck } from 'lucide-react';
import { ListCount, ListScreen } from '../../kit/list/ListScreen';
import type { ChangeSearch } from '../../kit/list/search-params';
import { useListQuery } from '../../kit/list/useListQuery';
import { usePollInterval } from '../../kit/query/usePollInterval';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { SelectField } from '../../ui/SelectField';
import { channelsApi } from './channels.api';
import { DeliveryLine } from './DeliveryLine';
import { type ChannelsSearch, deliveryStates } from './search';
import { stateWords } from './words';

const pageSize = 50;
const pollMs = 5_000;

function useDeliveries({ channel, state, page = 1 }: ChannelsSearch) {
  const params = { channel_id: channel, state, limit: pageSize, offset: (page - 1) * pageSize };
  const cached = channelsApi.endpoints.deliveries.useQueryState(params);
  const hasQueued = cached.currentData?.items.some((delivery) => delivery.state === 'queued') === true;
  const pace = usePollInterval(cached, pollMs);
  const answer = channelsApi.useDeliveriesQuery(params, {
    refetchOnMountOrArgChange: true,
    pollingInterval: hasQueued ? pace : 0,
    skipPollingIfUnfocused: true,
  });
  return useListQuery(answer, 'Impossible de charger les messages.');
}

type Props = { search: ChannelsSearch; show: ChangeSearch<ChannelsSearch> };

const width = { flex: '1 1 200px', maw: { sm: 200 } };
const states = deliveryStates.map((value) => ({ value, label: stateWords[value].word }));
const stateOf = (value: string): DeliveryState | undefined => deliveryStates.find((state) => state === value);

function Filters({ search: { channel, state }, show }: Props) {
  const { data } = channelsApi.useChannelsQuery(undefined, { refetchOnMountOrArgChange: true });
  const channels = (data?.items ?? [])
    .filter(({ kind }) => kind !== 'heartbeat')
    .map(({ id, name }) => ({ value: id, label: name }));
  // A channel of the address that is not among the choices is shown as "…", so that the filter is visible.
  const isListed = channel === undefined || channels.some(({ value }) => value === channel);
  return (
    <Group component="search" gap={8} flex={1}>
      <SelectField
        aria-label="Filtrer par canal"
        {...width}
        data={[
          { value: '', label: 'Tous les canaux' },
          ...channels,
          ...(isListed ? [] : [{ value: channel, label: '…' }]),
        ]}
        value={channel ?? ''}
        onChange={({ currentTarget }) => show({ channel: currentTarget.value || undefined, page: undefined })}
      />
      <SelectField
        aria-label="Filtrer par état"
        {...width}
        data={[{ value: '', label: 'Tous les états' }, ...states]}
        value={state ?? ''}
        onChange={({ currentTarget }) => show({ state: stateOf(currentTarget.value), page: undefined })}
      />
    </Group>
  );
}

const NoDeliveries = () => (
  <EmptyState icon={MailCheck} title="Aucun message pour l’instant.">
    <p>Chaque message envoyé par un canal, ou en échec, s’affichera ici avec la réponse reçue.</p>
  </EmptyState>
);

const Rows = ({ deliveries }: { deliveries: readonly Delivery[] }) => (
  <Lines aria-label="Messages envoyés">
    {deliveries.map((delivery) => (
      <DeliveryLine key={delivery.id} delivery={delivery} />
    ))}
  </Lines>
);

/** What the channels sent, and what became of it. */
export function Deliveries({ search, show }: Props) {
  const answer = useDeliveries(search);
  const { currentData, fulfilledTimeStamp, isRefreshing, refresh } = answer;
  const isFiltered = search.channel !== undefined || search.state !== undefined;
  return (
    <ListScreen
      answer={answer}
      tools={
        <>
          <Group justify="space-between" align="flex-start" wrap="nowrap" gap={8}>
            <Filters search={search} show={show} />
            <RefreshButton isBusy={isRefreshing} run={refresh}>
              Actualiser
            </RefreshButton>
          </Group>
          <ListCount at={fulfilledTimeStamp}>
            {currentData && plural(currentData.total, 'message', 'messages')}
          </ListCount>
        </>
      }
      page={search.page}
      pageSize={pageSize}
      onPage={(page) => show({ page })}
      noMatch={
        isFiltered && {
          title: 'Aucun message ne correspond.',
          onClear: () => show({ channel: undefined, state: undefined, page: undefined }),
        }
      }
      empty={<NoDeliveries />}
    >
      {({ items }) => <Rows deliveries={items} />}
    </ListScreen>
  );
}
