import { Button } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import { Logo } from '../../ui/Logo';
import { Notice } from '../../ui/EmptyState';
import { type ApiError, serverMessage } from '../../kit/query/api-error';
import styles from './StartScreens.module.css';

export function Loading() {
  return (
    <output className={styles['loading']}>
      <span>Chargement…</span>
    </output>
  );
}

export function LoadingStart() {
  return (
    <main className={styles['start']}>
      <Logo size={40} />
      <output>Chargement…</output>
    </main>
  );
}

type FailedProps = { error: ApiError; isRetrying: boolean; onRetry: () => void };

/** Keeps the session: only a response of the server can end it. */
export function StartFailed({ error, isRetrying, onRetry }: FailedProps) {
  return (
    <main className={styles['failed']}>
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
        {error.requestId !== undefined && <p className={styles['request']}>Requête {error.requestId}</p>}
      </Notice>
    </main>
  );
}
