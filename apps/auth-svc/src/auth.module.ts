import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { authOutboxWritten } from '@vigie/contracts/outbox';
import { AuditChainer } from '@vigie/service-kit/audit';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { Counters, openCounters } from '@vigie/service-kit/counters';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { provideFromDatabase } from '@vigie/service-kit/database';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { Resealer } from '@vigie/service-kit/resealer';
import { Retention } from '@vigie/service-kit/retention';
import { makeRetention } from './db/retention';
import { sealedColumns } from './db/sealed-columns';
import { env } from './env';
import { HealthController } from './health.controller';
import { AccessMails } from './mail/access-mails';
import { AlertMailsController } from './mail/alert-mails.controller';
import { Mail } from './mail/mail.entity';
import { Mailer } from './mail/mailer';
import { Transports } from './mail/transports';
import { NotificationsController } from './notifications/notifications.controller';
import { OutboxController } from './outbox.controller';
import { PasskeyAssertions } from './passkeys/assertions';
import { PasskeyLoginsController } from './passkeys/passkey-logins.controller';
import { PasskeysController } from './passkeys/passkeys.controller';
import { PasswordCheck } from './passwords/password-check';
import { Passwords } from './passwords/passwords';
import { PasswordsController } from './passwords/passwords.controller';
import { AttemptLimits } from './sessions/attempt-limits';
import { OpenSessions } from './sessions/open-sessions';
import { Session } from './sessions/session.entity';
import { SessionsController } from './sessions/sessions.controller';
import { SettingsController } from './settings/settings.controller';
import { Settings } from './settings/settings.entity';
import { ExpiryMails } from './tokens/expiry-mails';
import { Token } from './tokens/token.entity';
import { TokenSessions } from './tokens/token-sessions';
import { TokensController } from './tokens/tokens.controller';
import { TwoFactorPolicies } from './two-factor/policies';
import { SecondFactorChanges } from './two-factor/second-factor-changes';
import { SecondFactors } from './two-factor/second-factors';
import { TwoFactorController } from './two-factor/two-factor.controller';
import { FirstAdmin } from './users/first-admin';
import { User } from './users/user.entity';
import { PeopleController } from './users/people.controller';
import { UsersController } from './users/users.controller';

@Module({})
export class AuthModule {
  static with(kit: Kit, database: DynamicModule): DynamicModule {
    return {
      module: AuthModule,
      imports: [database, TypeOrmModule.forFeature([User, Session, Settings, Mail, Token])],
      controllers: [
        AlertMailsController,
        HealthController,
        NotificationsController,
        OutboxController,
        PasskeyLoginsController,
        PasskeysController,
        PasswordsController,
        SessionsController,
        SettingsController,
        TokensController,
        TwoFactorController,
        PeopleController,
        UsersController,
      ],
      providers: [
        { provide: Counters, useFactory: () => openCounters(env.REDIS_URL, kit) },
        provideFromDatabase(
          AuditedTransactions,
          (source) => new AuditedTransactions(source, kit.bus, authOutboxWritten),
        ),
        provideFromDatabase(AuditChainer, (source) => new AuditChainer(source, kit.log)),
        provideFromDatabase(Retention, (source) => makeRetention(source, kit.log)),
        provideFromDatabase(Resealer, (source) => new Resealer(source, kit, sealedColumns)),
        AccessMails,
        AttemptLimits,
        ExpiryMails,
        IdempotencyKeys,
        FirstAdmin,
        Mailer,
        OpenSessions,
        PasskeyAssertions,
        PasswordCheck,
        Passwords,
        SecondFactorChanges,
        SecondFactors,
        TokenSessions,
        Transports,
        TwoFactorPolicies,
      ],
    };
  }
}
