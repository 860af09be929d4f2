import { Controller } from '@nestjs/common';
import type { Output } from '@vigie/contracts/contract';
import { type AppSettings, readAppSettings, type SaveAppSettings, saveAppSettings } from '@vigie/contracts/settings';
import { currentContext } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { DataSource, type EntityManager } from 'typeorm';
import { env } from '../env';
import { passkeyOrigin } from '../passkeys/relying-party';
import { OpenSessions } from '../sessions/open-sessions';
import { TwoFactorPolicies } from '../two-factor/policies';
import { recordAuditEvent } from '../users/audit-events';
import { lockAdmin } from '../users/lock-user';
import { sanitiseLogo } from './logos';
import { Settings, settingsRow } from './settings.entity';

@Controller()
export class SettingsController {
  constructor(
    private readonly database: DataSource,
    private readonly transactions: AuditedTransactions,
    private readonly openSessions: OpenSessions,
    private readonly policies: TwoFactorPolicies,
  ) {}

  @Handles(readAppSettings)
  async read(): Promise<Output<typeof readAppSettings>> {
    const settings = await findSettings(this.database.manager);
    const isLoggedIn = currentContext()?.user !== undefined;
    const origin = passkeyOrigin(env.VIGIE_PUBLIC_URL);
    return { ...(isLoggedIn ? toAppSettings(settings) : toBranding(settings)), passkey_origin: origin };
  }

  @Handles(saveAppSettings)
  async save(input: SaveAppSettings): Promise<AppSettings> {
    const changes = changesOf(input);
    const sids = await this.transactions.write(async (transaction) => {
      const actor = await lockAdmin(transaction.manager);
      if (Object.keys(changes).length === 0) return [];
      await transaction.manager.update(Settings, settingsRow, changes);
      await recordAuditEvent(transaction, { actor, type: 'settings_edit', details: detailsOf(input) });
      return input.require_2fa === undefined
        ? []
        : this.policies.liftRestrictions(transaction.manager, input.require_2fa);
    });
    this.openSessions.announce(sids);
    return toAppSettings(await findSettings(this.database.manager));
  }
}

const findSettings = (manager: EntityManager) =>
  manager
    .createQueryBuilder(Settings, 'settings')
    .addSelect(['settings.logoLight', 'settings.logoDark'])
    .where(settingsRow)
    .getOneOrFail();

function changesOf(input: SaveAppSettings): Partial<Settings> {
  const { app_name, logo_light_b64: light, logo_dark_b64: dark, default_sender_email: sender, require_2fa } = input;
  return {
    ...(app_name !== undefined && { appName: app_name }),
    ...(light !== undefined && { logoLight: light && sanitiseLogo(light) }),
    ...(dark !== undefined && { logoDark: dark && sanitiseLogo(dark) }),
    ...(sender !== undefined && { defaultSenderEmail: sender }),
    ...(require_2fa !== undefined && { require2fa: require_2fa }),
  };
}

/** Names the changed settings; the audit does not copy the logos. */
const detailsOf = ({ logo_light_b64: light, logo_dark_b64: dark, ...plain }: SaveAppSettings) => ({
  ...plain,
  ...(light !== undefined && { logo_light: true }),
  ...(dark !== undefined && { logo_dark: true }),
});

const toBranding = ({ appName, logoLight, logoDark }: Settings) => ({
  app_name: appName,
  logo_light_b64: logoLight,
  logo_dark_b64: logoDark,
});

const toAppSettings = (settings: Settings): AppSettings => ({
  ...toBranding(settings),
  default_sender_email: settings.defaultSenderEmail,
  require_2fa: settings.require2fa,
});
