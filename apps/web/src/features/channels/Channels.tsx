import { Button, Group } from '@mantine/core';
import type { Channel } from '@vigie/contracts/channels';
import { BellRing, Plus } from 'lucide-react';
import { useState } from 'react';
import { ListCount, ListScreen } from '../../kit/list/ListScreen';
import type { ChangeSearch } from '../../kit/list/search-params';
import { useListQuery } from '../../kit/list/useListQuery';
import { usePollInterval } from '../../kit/query/usePollInterval';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { ChannelDialog } from './ChannelDialog';
import { ChannelLine } from './ChannelLine';
import { channelsApi } from './channels.api';
import { DeleteChannel } from './DeleteChannel';
import { awaitsCall } from './heartbeat-words';
import type { ChannelsSearch } from './search';

const AddButton = ({ onAdd }: { onAdd: () => void }) => (
  <Button leftSection={<Plus size={16} aria-hidden />} onClick={onAdd}>
    Ajouter un canal
  </Button>
);

const NoChannels = ({ onAdd }: { onAdd: () => void }) => (
  <EmptyState icon={BellRing} title="Aucun canal pour l’instant." actions={<AddButton onAdd={onAdd} />}>
    <p>
      Un canal dit où Vigie vous prévient d’un incident&nbsp;: par email, ou dans Slack, Teams, Telegram ou votre
      programme.
    </p>
  </EmptyState>
);

type Props = { search: ChannelsSearch; show: ChangeSearch<ChannelsSearch> };

type RowsProps = Pick<Props, 'show'> & { channels: readonly Channel[] };

function Rows({ channels, show }: RowsProps) {
  const [deleted, setDeleted] = useState<Channel>();
  const isMixed = channels.some((channel) => !channel.is_shared);
  return (
    <>
      <Lines aria-label="Canaux">
        {channels.map((channel) => (
          <ChannelLine
            key={channel.id}
            channel={channel}
            isMixed={isMixed}
            onEdit={() => show({ edit: channel.id }, { isStep: true })}
            onDelete={() => setDeleted(channel)}
          />
        ))}
      </Lines>
      {deleted && <DeleteChannel channel={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

const [heartbeatMs, firstCallMs] = [20_000, 2_000];

/** Signs of life go on while the page is open; messages are seen when it is opened. */
function useChannels() {
  const cached = channelsApi.endpoints.channels.useQueryState();
  const beating = (cached.data?.items ?? []).flatMap(({ heartbeat, is_enabled: isEnabled }) =>
    heartbeat && isEnabled ? [heartbeat] : [],
  );
  const pace = usePollInterval(cached, beating.some(awaitsCall) ? firstCallMs : heartbeatMs);
  const answer = channelsApi.useChannelsQuery(undefined, {
    refetchOnMountOrArgChange: true,
    pollingInterval: beating.length > 0 ? pace : 0,
    skipPollingIfUnfocused: true,
  });
  return useListQuery(answer, 'Impossible de charger les canaux.');
}

/** Where Vigie tells of incidents. */
export function Channels({ search: { add, edit }, show }: Props) {
  const answer = useChannels();
  const { data, fulfilledTimeStamp } = answer;
  const edited = data?.items.find(({ id }) => id === edit);
  const open = () => show({ add: true }, { isStep: true });
  const close = (isSaved = false) => show({ add: undefined, edit: undefined }, { isSaved });
  return (
    <>
      <ListScreen
        answer={answer}
        tools={
          data !== undefined &&
          data.total > 0 && (
            <Group justify="space-between" gap="8px 16px">
              <ListCount at={fulfilledTimeStamp}>{plural(data.total, 'canal', 'canaux')}</ListCount>
              <AddButton onAdd={open} />
            </Group>
          )
        }
        noMatch={false}
        empty={<NoChannels onAdd={open} />}
        placeholderRows={3}
      >
        {({ items }) => <Rows channels={items} show={show} />}
      </ListScreen>
      {(add || edited) && (
        <ChannelDialog key={edited?.id ?? 'new'} channel={edited} onSaved={() => close(true)} onClose={() => close()} />
      )}
    </>
  );
}
