import { Group, Text } from '@mantine/core';
import type { ChannelHeartbeat } from '@vigie/contracts/channels';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNow } from '../../ui/useNow';
import { heartbeatState } from './heartbeat-words';

const refreshMs = 30_000;

type Props = { heartbeat: ChannelHeartbeat; isEnabled: boolean };

/** How the calls of a sign of life go, and when one was last taken. */
export function HeartbeatLine({ heartbeat, isEnabled }: Props) {
  const now = useNow(refreshMs);
  const { accepted_at: acceptedAt } = heartbeat;
  const state = isEnabled ? heartbeatState(heartbeat, now) : undefined;
  return (
    <>
      <Group gap="2px 8px" fz={13} c="muted">
        {state && <Status tone={state.tone}>{state.word}</Status>}
        {acceptedAt === null ? (
          <span>Aucun signe de vie accepté pour l’instant.</span>
        ) : (
          <span>
            Dernier signe de vie accepté <TimeAgo often at={acceptedAt} />
          </span>
        )}
      </Group>
      {state?.sentence !== undefined && (
        <Text c={state.tone} fz={13}>
          {state.sentence}
        </Text>
      )}
    </>
  );
}
