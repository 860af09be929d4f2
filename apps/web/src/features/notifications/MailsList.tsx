import type { Mail } from '@vigie/contracts/notifications';
import { CloudOff, MailCheck } from 'lucide-react';
import { useListQuery } from '../../kit/list/useListQuery';
import { usePollInterval } from '../../kit/query/usePollInterval';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { Status, type Tone } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './MailsList.module.css';
import { notificationsApi } from './notifications.api';

const loadFailed = 'Impossible de charger les derniers emails.';
const pollMs = 5_000;
const states: Record<Mail['state'], { tone: Tone; word: string }> = {
  queued: { tone: 'info', word: 'En attente' },
  sent: { tone: 'ok', word: 'Envoyé' },
  failed: { tone: 'danger', word: 'Échec' },
};

function MailLine({ mail }: { mail: Mail }) {
  const { tone, word } = states[mail.state];
  return (
    <li className={styles['line']}>
      <div className={styles['what']}>
        <p className={styles['subject']}>{mail.subject}</p>
        <p className={styles['to']}>{mail.to}</p>
        {mail.error !== null && <p className={styles['error']}>{mail.error}</p>}
      </div>
      <div className={styles['facts']}>
        <Status tone={tone}>{word}</Status>
        <p>
          {mail.sent_at === null ? (
            <>
              Demandé <TimeAgo at={mail.created_at} />
            </>
          ) : (
            <TimeAgo at={mail.sent_at} />
          )}
          {mail.attempts > 1 && ` · ${plural(mail.attempts, 'tentative', 'tentatives')}`}
        </p>
      </div>
    </li>
  );
}

function useMails() {
  const cached = notificationsApi.endpoints.mails.useQueryState();
  const hasQueuedMail = cached.data?.items.some(({ state }) => state === 'queued') === true;
  const pace = usePollInterval(cached, pollMs);
  const answer = notificationsApi.useMailsQuery(undefined, {
    refetchOnMountOrArgChange: true,
    pollingInterval: hasQueuedMail ? pace : 0,
    skipPollingIfUnfocused: true,
  });
  return useListQuery(answer, loadFailed);
}

export function MailsList() {
  const { data, sentence, isRefreshing, refresh } = useMails();
  const retryButton = <RetryButton isBusy={isRefreshing} onRetry={refresh} />;
  return (
    <section aria-labelledby="mails" className={styles['card']}>
      <header className={styles['head']}>
        <h2 id="mails">Derniers emails</h2>
        <RefreshButton isBusy={isRefreshing} run={refresh}>
          Actualiser
        </RefreshButton>
      </header>
      {data && sentence !== undefined && <Failure sentence={sentence}>{retryButton}</Failure>}
      {!data && sentence !== undefined && <EmptyState icon={CloudOff} title={sentence} actions={retryButton} />}
      {!data && sentence === undefined && <Skeleton rows={3} height={64} />}
      {data?.items.length === 0 && (
        <EmptyState icon={MailCheck} title="Aucun email pour l’instant.">
          <p>Les emails de réinitialisation de mot de passe apparaîtront ici, envoyés ou en échec.</p>
        </EmptyState>
      )}
      <ul>
        {data?.items.map((mail) => (
          <MailLine key={mail.id} mail={mail} />
        ))}
      </ul>
    </section>
  );
}
