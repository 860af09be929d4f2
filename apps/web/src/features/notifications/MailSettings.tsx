import { Button, Stack } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import type { NotificationSettings } from '@vigie/contracts/notifications';
import { LockKeyhole, Send } from 'lucide-react';
import { useUser } from '../../kit/fleet/users';
import { PendingCard } from '../../kit/list/PendingCard';
import { sentenceOf } from '../../kit/query/failures';
import { useStoredSession } from '../../kit/query/session';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { Section } from '../../ui/Section';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { toast } from '../../ui/toasts';
import { KeyForm } from './KeyForm';
import { MailsList } from './MailsList';
import { notificationsApi } from './notifications.api';
import { parseAddress, SenderForm, useSenderForm } from './SenderForm';

function describeTransport({ transport, has_sendgrid_key: hasKey }: NotificationSettings): string {
  if (transport === 'sendgrid') return 'Les emails partent par SendGrid, avec la clé enregistrée ici.';
  if (transport === 'smtp') return 'Les emails partent par le serveur SMTP de cette installation.';
  return hasKey
    ? 'Aucun email ne part\u00a0: la clé enregistrée est illisible. Enregistrez-la de nouveau.'
    : 'Aucun email ne part\u00a0: enregistrez une clé SendGrid, ou définissez VIGIE_SMTP_URL sur le serveur.';
}

const transportNames = { sendgrid: 'SendGrid', smtp: 'SMTP' };

function Transport({ settings }: { settings: NotificationSettings }) {
  const { transport, sendgrid_key_updated_at: keySavedAt } = settings;
  return (
    <Stack align="flex-start" gap={8}>
      {transport ? <Status tone="ok">{transportNames[transport]}</Status> : <Status tone="warn">Aucun envoi</Status>}
      <p>
        {describeTransport(settings)}
        {keySavedAt !== null && (
          <>
            {' '}
            Clé enregistrée <TimeAgo at={keySavedAt} />.
          </>
        )}
      </p>
    </Stack>
  );
}

function Forms({ settings, isAdmin }: { settings: NotificationSettings; isAdmin: boolean }) {
  const stored = settings.default_sender_email ?? '';
  const form = useSenderForm(stored);
  return (
    <>
      <Section title="Envoi des emails" about={<Transport settings={settings} />}>
        <fieldset disabled={!isAdmin}>
          <KeyForm hasKey={settings.has_sendgrid_key} />
        </fieldset>
      </Section>
      <Section title="Expéditeur" about={<p>Les emails de la console partent de cette adresse.</p>}>
        <fieldset disabled={!isAdmin}>
          <SenderForm form={form} />
        </fieldset>
      </Section>
      <Section title="Message de test" about={<p>5 messages par heure au plus.</p>}>
        {/* Clears the result of the last test when the settings change. */}
        <TestMail
          key={`${settings.transport} ${settings.sendgrid_key_updated_at} ${stored}`}
          to={useUser()?.email}
          from={isAdmin ? parseAddress(form.values.default_sender_email) : undefined}
        />
      </Section>
    </>
  );
}

function Settings({ isAdmin }: { isAdmin: boolean }) {
  const { data, error, isFetching, refetch } = notificationsApi.useNotificationsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  // The request leaves at once, but its answer is shown below the forms, which take their height only when they are there.
  notificationsApi.useMailsQuery(isAdmin ? undefined : skipToken);
  const isSettled = data !== undefined || error !== undefined;
  return (
    <>
      {data ? (
        <Forms settings={data} isAdmin={isAdmin} />
      ) : (
        <PendingCard
          failure="Les réglages d’envoi n’ont pas pu être lus."
          error={error}
          isFetching={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {isAdmin && isSettled && <MailsList />}
    </>
  );
}

/** How this installation sends its mails. */
export function MailSettings() {
  const { isAdmin } = useStoredSession();
  return (
    <>
      {!isAdmin && (
        <Callout tone="info" icon={LockKeyhole}>
          Certains paramètres sont réservés aux administrateurs.
        </Callout>
      )}
      <Settings isAdmin={isAdmin} />
    </>
  );
}

type Props = {
  to: string | undefined;
  /** The sender to test: only an administrator may test one before saving it. */
  from: string | undefined;
};

function TestMail({ to, from }: Props) {
  const [send, { data, isLoading, error }] = notificationsApi.useTestNotificationsMutation();
  const test = async () => {
    const { data: sent } = await send(from === undefined ? {} : { from });
    if (sent) toast.success(sent.message);
  };
  return (
    <Stack gap={12}>
      <p>
        Un message est envoyé à <strong>{to ?? 'votre adresse'}</strong>
        {from !== undefined && (
          <>
            , de la part de <strong>{from}</strong>
          </>
        )}
        .
      </p>
      <Button
        variant="default"
        w="fit-content"
        loading={isLoading}
        leftSection={<Send size={16} aria-hidden />}
        onClick={() => void test()}
      >
        Envoyer un email de test
      </Button>
      <output>{data && !isLoading && <Callout tone="ok">{data.message}</Callout>}</output>
      <Failure sentence={sentenceOf(error)} />
    </Stack>
  );
}
