import type { NotificationSettings } from '@vigie/contracts/notifications';
import { LockKeyhole } from 'lucide-react';
import { PendingCard } from '../../kit/list/PendingCard';
import { useStoredSession } from '../../kit/query/session';
import { useUser } from '../../kit/fleet/users';
import { Callout } from '../../ui/Callout';
import { Section } from '../../ui/Section';
import { KeyForm } from './KeyForm';
import { MailsList } from './MailsList';
import { notificationsApi } from './notifications.api';
import { Page } from '../../ui/Page';
import { parseAddress, SenderForm, useSenderForm } from './SenderForm';
import { TestMail } from './TestMail';
import { Stack } from '@mantine/core';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';

function sentenceOf({ transport, has_sendgrid_key: hasKey }: NotificationSettings): string {
  if (transport === 'sendgrid') return 'Les emails partent par SendGrid, avec la clé enregistrée ici.';
  if (transport === 'smtp') return 'Les emails partent par le serveur SMTP de cette installation.';
  return hasKey
    ? 'Aucun email ne part\u00a0: la clé enregistrée n’est pas utilisable.'
    : 'Aucun email ne part\u00a0: enregistrez une clé SendGrid, ou définissez VIGIE_SMTP_URL sur le serveur.';
}

const transportNames = { sendgrid: 'SendGrid', smtp: 'SMTP' };

function Transport({ settings }: { settings: NotificationSettings }) {
  const { transport, sendgrid_key_updated_at: keySavedAt } = settings;
  return (
    <Stack align="flex-start" gap={8}>
      {transport ? <Status tone="ok">{transportNames[transport]}</Status> : <Status tone="warn">Aucun envoi</Status>}
      <p>
        {sentenceOf(settings)}
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
      <Section title="Expéditeur" about={<p>L’adresse qui envoie les emails de la console.</p>}>
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
  if (data) return <Forms settings={data} isAdmin={isAdmin} />;
  const retry = () => void refetch();
  return (
    <PendingCard
      failure="Les réglages d’envoi n’ont pas pu être lus."
      error={error}
      isFetching={isFetching}
      onRetry={retry}
    />
  );
}

export function NotificationsPage() {
  const { isAdmin } = useStoredSession();
  return (
    <Page title="Notifications" lead="Réglez l’envoi des emails, et vérifiez qu’ils partent bien." maxWidth={1100}>
      {!isAdmin && (
        <Callout tone="info" icon={LockKeyhole}>
          Certains paramètres sont réservés aux administrateurs.
        </Callout>
      )}
      <Settings isAdmin={isAdmin} />
      {isAdmin && <MailsList />}
    </Page>
  );
}
