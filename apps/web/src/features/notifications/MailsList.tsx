import { Text } from '@mantine/core';
import type { Mail } from '@vigie/contracts/notifications';
import { MailCheck } from 'lucide-react';
import { useListQuery } from '../../kit/list/useListQuery';
import { usePollInterval } from '../../kit/query/usePollInterval';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { Status, type Tone } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { Widget } from '../../ui/Widget';
import { notificationsApi } from './notifications.api';
import styles from './notifications.module.css';

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
    <li className={styles['mail']}>
      <div>
        <Text fw={500}>{mail.subject}</Text>
        <Text c="muted" fz={13}>
          {mail.to}
        </Text>
        {mail.error !== null && (
          <Text mt={2} c="danger" fz={13}>
            {mail.error}
          </Text>
        )}
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
  return (
    <Widget
      id="mails"
      title="Derniers emails"
      answer={{ data, isFetching: isRefreshing, refetch: refresh }}
      sentence={sentence}
      tools={
        <RefreshButton isBusy={isRefreshing} run={refresh}>
          Actualiser
        </RefreshButton>
      }
    >
      {data?.items.length === 0 && (
        <EmptyState icon={MailCheck} title="Aucun email pour l’instant.">
          <p>Chaque email envoyé, ou en échec, s’affichera ici.</p>
        </EmptyState>
      )}
      <Lines>
        {data?.items.map((mail) => (
          <MailLine key={mail.id} mail={mail} />
        ))}
      </Lines>
    </Widget>
  );
}
