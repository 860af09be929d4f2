import { Box, Button, Stack, Text } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import { Logo } from '../../ui/Logo';
import { Notice } from '../../ui/EmptyState';
import { type ApiError, serverMessage } from '../../kit/query/api-error';
import styles from './layout.module.css';

export function Loading() {
  return (
    <Stack component="output" align="center" justify="center" mih="40vh" c="muted" className={styles['late']}>
      Chargement…
    </Stack>
  );
}

export function LoadingStart() {
  return (
    <Stack component="main" align="center" justify="center" mih="100dvh" c="muted" className={styles['late']}>
      <Logo size={40} />
      <output>Chargement…</output>
    </Stack>
  );
}

type FailedProps = { error: ApiError; isRetrying: boolean; onRetry: () => void };

/** Keeps the session: only a response of the server can end it. */
export function StartFailed({ error, isRetrying, onRetry }: FailedProps) {
  return (
    <Box component="main" px="var(--gutter)">
      <Notice
        icon={CloudOff}
        role="alert"
        title="La console ne répond pas"
        actions={
          <Button loading={isRetrying} onClick={onRetry}>
            Réessayer
          </Button>
        }
      >
        <p>{serverMessage(error) ?? 'Le serveur est injoignable ou redémarre.'} Votre session est conservée.</p>
        {error.requestId !== undefined && (
          <Text c="subtle" ff="monospace" fz={12} lh="16px">
            Requête {error.requestId}
          </Text>
        )}
      </Notice>
    </Box>
  );
}
