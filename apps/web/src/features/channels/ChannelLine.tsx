import { Button, Group, Stack, Text } from '@mantine/core';
import type { Channel, Delivery } from '@vigie/contracts/channels';
import { FolderX, Pause, Pencil, Play, Send, Trash2, Users } from 'lucide-react';
import { useGroupNames } from '../../kit/fleet/groups';
import { useOwnerLabel } from '../../kit/fleet/owners';
import { useUser } from '../../kit/fleet/users';
import { sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { useFocusHandOver } from '../../ui/focus';
import { IconButton } from '../../ui/IconButton';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { toast } from '../../ui/toasts';
import { channelsApi } from './channels.api';
import { HeartbeatLine } from './HeartbeatLine';
import { hasNoGroup, kindNames, rulesWords, stateWords, targetWords, testOutcome } from './words';

type Props = {
  channel: Channel;
  /** The list also has channels of people, the reader's own or, in admin mode, those of others. */
  isMixed: boolean;
  onEdit: () => void;
  onDelete: () => void;
};

const Marks = ({ channel, isMixed }: Pick<Props, 'channel' | 'isMixed'>) => (
  <>
    {isMixed && channel.is_shared && (
      <Status tone="neutral" icon={Users}>
        De l’installation
      </Status>
    )}
    {!channel.is_enabled && (
      <Status tone="neutral" icon={Pause}>
        En pause
      </Status>
    )}
    {hasNoGroup(channel) && (
      <Status tone="warn" icon={FolderX}>
        Plus aucun groupe
      </Status>
    )}
  </>
);

function LastMessage({ channel }: Pick<Props, 'channel'>) {
  const { last_delivery: last, heartbeat, is_enabled: isEnabled } = channel;
  if (heartbeat) return <HeartbeatLine heartbeat={heartbeat} isEnabled={isEnabled} />;
  if (last === null) return <Text variant="hint">Aucun message pour l’instant.</Text>;
  const { tone, word } = stateWords[last.state];
  return (
    <>
      <Group gap={8} fz={13} c="muted">
        <Status tone={tone}>{word}</Status>
        <TimeAgo at={last.at} />
      </Group>
      {last.error !== null && (
        <Text c="danger" fz={13}>
          {last.error}
        </Text>
      )}
    </>
  );
}

function About({ channel, isMixed }: Pick<Props, 'channel' | 'isMixed'>) {
  const names = useGroupNames()(channel.group_ids ?? []).map(({ name }) => name);
  const userId = useUser()?.id;
  const owner = useOwnerLabel({ owner_id: channel.owner_id ?? undefined });
  return (
    <Stack gap={2} flex="1 1 320px" miw={0} style={{ overflowWrap: 'anywhere' }}>
      <Group gap="2px 8px">
        <Text fw={600}>{channel.name}</Text>
        <Marks channel={channel} isMixed={isMixed} />
      </Group>
      <Text variant="note">
        {[kindNames[channel.kind], targetWords(channel, userId), owner].filter(Boolean).join(' · ')}
      </Text>
      <Text variant="note">{rulesWords(channel, names)}</Text>
      <LastMessage channel={channel} />
    </Stack>
  );
}

/** How the test that was just asked for ended. */
function TestOutcome({ delivery }: { delivery: Delivery | undefined }) {
  const outcome = delivery && testOutcome(delivery);
  return <output>{outcome && <Callout tone={outcome.tone}>{outcome.sentence}</Callout>}</output>;
}

function usePause({ id, name, is_enabled: isEnabled }: Channel) {
  const [edit, call] = channelsApi.useEditChannelMutation();
  const toggle = async () => {
    const { data } = await edit({ id, is_enabled: !isEnabled });
    if (data) toast.success(isEnabled ? `Canal ${name} en pause.` : `Canal ${name} repris.`);
  };
  return { toggle: () => void toggle(), call };
}

/** A channel, and what can be done with it. */
export function ChannelLine({ channel, isMixed, onEdit, onDelete }: Props) {
  const { id, name, is_enabled: isEnabled } = channel;
  const line = useFocusHandOver<HTMLLIElement>('main');
  const [test, testing] = channelsApi.useTestChannelMutation();
  const { toggle, call } = usePause(channel);
  return (
    <li ref={line}>
      <Stack gap={8} px="var(--gutter)" py={12}>
        <Group justify="space-between" align="flex-start" gap="8px 16px">
          <About channel={channel} isMixed={isMixed} />
          <Group gap={0} wrap="nowrap" flex="none">
            <Button
              variant="default"
              mr={4}
              aria-label={`Envoyer un test par ${name}`}
              loading={testing.isLoading}
              leftSection={<Send size={16} aria-hidden />}
              onClick={() => void test({ id })}
            >
              Envoyer un test
            </Button>
            <IconButton isAtEdge icon={Pencil} label={`Modifier ${name}`} onClick={onEdit} />
            <IconButton
              isAtEdge
              icon={isEnabled ? Pause : Play}
              label={isEnabled ? `Mettre en pause ${name}` : `Reprendre ${name}`}
              disabled={call.isLoading}
              onClick={toggle}
            />
            <IconButton isAtEdge icon={Trash2} label={`Supprimer ${name}`} onClick={onDelete} />
          </Group>
        </Group>
        <TestOutcome delivery={testing.isLoading ? undefined : testing.data} />
        <Failure sentence={sentenceOf(testing.error) ?? sentenceOf(call.error)} />
      </Stack>
    </li>
  );
}
