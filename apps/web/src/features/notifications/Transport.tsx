import type { NotificationSettings } from '@vigie/contracts/notifications';
import { Status } from '../../ui/Status';
import { When } from '../../ui/When';
import styles from './Page.module.css';

function sentenceOf({ transport, has_sendgrid_key: hasKey }: NotificationSettings): string {
  if (transport === 'sendgrid') return 'Les emails partent par SendGrid, avec la clé enregistrée ici.';
  if (transport === 'smtp') return 'Les emails partent par le serveur SMTP de cette installation.';
  return hasKey
    ? 'Aucun email ne part\u00a0: la clé enregistrée n’est pas utilisable.'
    : 'Aucun email ne part\u00a0: enregistrez une clé SendGrid, ou définissez VIGIE_SMTP_URL sur le serveur.';
}

const words = { sendgrid: 'SendGrid', smtp: 'SMTP' };

/** Which way mails go now. */
export function Transport({ settings }: { settings: NotificationSettings }) {
  const { transport, sendgrid_key_updated_at: changedAt } = settings;
  return (
    <div className={styles['transport']}>
      {transport ? <Status tone="ok">{words[transport]}</Status> : <Status tone="warn">Aucun envoi</Status>}
      <p>
        {sentenceOf(settings)}
        {changedAt !== null && (
          <>
            {' '}
            Clé enregistrée <When at={changedAt} />.
          </>
        )}
      </p>
    </div>
  );
}
