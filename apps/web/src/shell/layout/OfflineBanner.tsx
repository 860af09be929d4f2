import { Box, Group, UnstyledButton } from '@mantine/core';
import { WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { toast } from '../../ui/toasts';
import { type Connection, useConnection } from '../../kit/query/connection';
import { readinessApi, useReadiness } from '../../kit/query/readiness';
import styles from './layout.module.css';

const sentences = {
  offline: 'Vous êtes hors ligne. Ce qui est affiché peut dater\u202f; la console reprend dès le retour du réseau.',
  unreachable: 'La console ne répond pas. Ce qui est affiché peut dater\u202f; nouvel essai dans quelques secondes.',
};

const isAway = (connection: Connection) => connection === 'offline' || connection === 'unreachable';

export function OfflineBanner() {
  const connection = useConnection();
  useReadiness();
  const previous = useRef<Connection>('online');
  const [checkReadiness, { isFetching }] = readinessApi.useLazyReadinessQuery();
  useEffect(() => {
    const wasOffline = previous.current === 'offline';
    if (connection === 'online' && isAway(previous.current)) toast.success('Connexion rétablie.');
    // Check at once instead of waiting for the next poll.
    if (connection === 'doubtful' || (connection === 'unreachable' && wasOffline)) void checkReadiness();
    previous.current = connection;
  }, [connection, checkReadiness]);
  return (
    <output>
      {isAway(connection) && (
        <Group
          component="span"
          gap={10}
          wrap="nowrap"
          p="8px var(--gutter)"
          bg="var(--warn-tint)"
          c="warn"
          fw={500}
          className={styles['banner']}
        >
          <WifiOff size={16} aria-hidden style={{ flex: 'none' }} />
          <Box component="span" flex={1}>
            {sentences[connection]}
          </Box>
          {connection === 'unreachable' && <RetryNow isBusy={isFetching} onRetry={() => void checkReadiness()} />}
        </Group>
      )}
    </output>
  );
}

function RetryNow({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) {
  return (
    <UnstyledButton
      flex="none"
      mih={{ base: 44, sm: 28 }}
      px={10}
      bd="1px solid currentcolor"
      bdrs="sm"
      fz={13}
      disabled={isBusy}
      onClick={onRetry}
    >
      Réessayer
    </UnstyledButton>
  );
}
