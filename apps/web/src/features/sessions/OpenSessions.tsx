import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { OpenSession } from '@vigie/contracts/sessions';
import { useState } from 'react';
import { failureMessage, reportFailure } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import { toast } from '../../ui/toasts';
import { useFocusHandOver } from '../../ui/focus';
import { TimeAgo } from '../../ui/TimeAgo';
import { deviceOf } from './device';
import { sessionsApi } from './sessions.api';

function SessionLine({ session, onRevoke }: { session: OpenSession; onRevoke: () => Promise<void> }) {
  const [isRevoking, setRevoking] = useState(false);
  const line = useFocusHandOver<HTMLLIElement>('#open-sessions');
  const device = deviceOf(session.user_agent);
  const revoke = async () => {
    setRevoking(true);
    await onRevoke();
    setRevoking(false);
  };
  return (
    <li ref={line}>
      <Group justify="space-between" wrap="nowrap" gap={12} py={8}>
        <Box miw={0}>
          <Text fw={500} title={session.user_agent ?? undefined}>
            {device}
          </Text>
          <Text c="muted" fz={13}>
            {session.address ?? 'Adresse inconnue'} · <TimeAgo at={session.seen_at} />
          </Text>
        </Box>
        {session.is_current ? (
          <Status tone="ok">Cette session</Status>
        ) : (
          <Button
            variant="default"
            loading={isRevoking}
            aria-label={`Révoquer la session ${device}, ${session.address ?? 'adresse inconnue'}`}
            onClick={() => void revoke()}
          >
            Révoquer
          </Button>
        )}
      </Group>
    </li>
  );
}

function useRevocations() {
  const [revokeSession] = sessionsApi.useRevokeSessionMutation();
  const [failure, setFailure] = useState<string>();
  const revoke = async (sessions: readonly OpenSession[]): Promise<void> => {
    setFailure(undefined);
    const answers = await Promise.all(sessions.map(({ id }) => revokeSession({ id })));
    const refused = answers.find(({ error }) => error);
    // One toast, however many sessions were refused.
    if (refused) setFailure(reportFailure(refused.error, 'La session n’a pas pu être révoquée.'));
    else toast.success(`${plural(sessions.length, 'session révoquée', 'sessions révoquées')}.`);
  };
  return { failure, revoke };
}

function RevokeOthers({ isBusy, onRevoke }: { isBusy: boolean; onRevoke: () => void }) {
  const foot = useFocusHandOver<HTMLDivElement>('#open-sessions');
  return (
    <div ref={foot}>
      <Button variant="default" color="danger" loading={isBusy} onClick={onRevoke}>
        Révoquer les autres
      </Button>
    </div>
  );
}

function SessionsList({ sessions }: { sessions: readonly OpenSession[] }) {
  const { failure, revoke } = useRevocations();
  const [isBusy, setBusy] = useState(false);
  const others = sessions.filter(({ is_current: isCurrent }) => !isCurrent);
  const revokeOthers = async () => {
    setBusy(true);
    await revoke(others);
    setBusy(false);
  };
  return (
    <>
      <Failure sentence={failure} />
      <Lines w="100%">
        {sessions.map((session) => (
          <SessionLine key={session.id} session={session} onRevoke={() => revoke([session])} />
        ))}
      </Lines>
      {others.length > 0 && <RevokeOthers isBusy={isBusy} onRevoke={() => void revokeOthers()} />}
    </>
  );
}

export function OpenSessions() {
  const { data, error, isFetching, refetch } = sessionsApi.useOpenSessionsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const sentence = failureMessage(error, 'Impossible de charger vos sessions.');
  return (
    <Stack component="section" align="flex-start" gap={8} aria-labelledby="open-sessions">
      <h3 id="open-sessions" tabIndex={-1}>
        Sessions ouvertes
      </h3>
      {sentence !== undefined && (
        <Failure sentence={sentence}>
          <RetryButton isBusy={isFetching} onRetry={refetch} />
        </Failure>
      )}
      {data && <SessionsList sessions={data.items} />}
      {!data && sentence === undefined && <Skeleton rows={2} height={56} />}
    </Stack>
  );
}
