import { Stack } from '@mantine/core';
import type { NotificationSettings } from '@vigie/contracts/notifications';
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

export function Transport({ settings }: { settings: NotificationSettings }) {
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
