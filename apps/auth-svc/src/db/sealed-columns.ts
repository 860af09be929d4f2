import type { SealedColumn } from '@vigie/service-kit/resealer';
import { bodySealContext } from '../mail/mail.entity';
import { sendgridKeySealContext } from '../settings/settings.entity';
import { secretSealContext } from '../two-factor/totp';

/** Lists every sealed column of this service: a rotation of the keys reports a missing one and cannot end. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'settings', id: 'id', column: 'sendgrid_key', sealContext: () => sendgridKeySealContext },
  { table: 'users', id: 'id', column: 'totp_secret', sealContext: ({ id }) => secretSealContext(String(id)) },
  {
    table: 'two_factor_enrolments',
    id: 'user_id',
    column: 'secret',
    sealContext: ({ user_id: id }) => secretSealContext(String(id)),
  },
  { table: 'mails', id: 'id', column: 'body', sealContext: ({ id }) => bodySealContext(String(id)) },
];
