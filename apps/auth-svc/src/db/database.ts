import { auditTables } from '@vigie/service-kit/audit';
import type { Database } from '@vigie/service-kit/database';
import { Mail } from '../mail/mail.entity';
import { Passkey } from '../passkeys/passkey.entity';
import { Session } from '../sessions/session.entity';
import { Settings } from '../settings/settings.entity';
import { Token } from '../tokens/token.entity';
import { User } from '../users/user.entity';
import { CreateUsersAndSessions1795250000000 } from './migrations/1795250000000-create-users-and-sessions';
import { AddTwoFactorSettingsAndMails1795262400000 } from './migrations/1795262400000-add-two-factor-settings-and-mails';
import { SortNamesInFrench1795830000000 } from './migrations/1795830000000-sort-names-in-french';
import { CreateTokens1795960000000 } from './migrations/1795960000000-create-tokens';
import { CreatePasskeys1796030000000 } from './migrations/1796030000000-create-passkeys';
import { MailEachDeliveryOnce1796110000000 } from './migrations/1796110000000-mail-each-delivery-once';

export const database: Database = {
  schema: 'auth',
  entities: [User, Session, Settings, Mail, Token, Passkey],
  migrations: [
    CreateUsersAndSessions1795250000000,
    AddTwoFactorSettingsAndMails1795262400000,
    SortNamesInFrench1795830000000,
    CreateTokens1795960000000,
    CreatePasskeys1796030000000,
    MailEachDeliveryOnce1796110000000,
  ],
  appendOnly: auditTables,
};
