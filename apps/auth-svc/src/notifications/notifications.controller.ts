import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AppError } from '@vigie/contracts/errors';
import {
  listMails,
  readNotifications,
  type SaveNotifications,
  saveNotifications,
  type TestNotifications,
  testNotifications,
} from '@vigie/contracts/notifications';
import { writeAudit } from '@vigie/service-kit/audit';
import { Handles } from '@vigie/service-kit/handles';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { Repository } from 'typeorm';
import { env } from '../env';
import { Mail, toMailView } from '../mail/mail.entity';
import { testMail } from '../mail/templates';
import { MailFailure, noTransport, transportOf, Transports } from '../mail/transports';
import { AttemptLimits } from '../sessions/attempt-limits';
import { sendgridKeySealContext, Settings, settingsRow } from '../settings/settings.entity';
import { recordAuditEvent } from '../users/audit-events';
import { lockAdmin } from '../users/lock-user';
import { requireUser } from '../users/require-user';

@Controller()
export class NotificationsController {
  constructor(
    @InjectRepository(Settings) private readonly settings: Repository<Settings>,
    @InjectRepository(Mail) private readonly mails: Repository<Mail>,
    private readonly transactions: AuditedTransactions,
    private readonly keyRing: KeyRing,
    private readonly limits: AttemptLimits,
    private readonly transports: Transports,
  ) {}

  @Handles(readNotifications)
  async read() {
    const settings = await this.settings.findOneByOrFail(settingsRow);
    return {
      has_sendgrid_key: settings.sendgridKey !== null,
      sendgrid_key_updated_at: settings.sendgridKeyAt?.toISOString() ?? null,
      transport: transportOf(settings),
      default_sender_email: settings.defaultSenderEmail,
    };
  }

  @Handles(saveNotifications)
  async save({ sendgrid_api_key: key }: SaveNotifications) {
    // An absent or empty key keeps the saved one.
    if (key !== undefined && key !== '') await this.replaceKey(key);
    return this.read();
  }

  private async replaceKey(key: string | null): Promise<void> {
    const sendgridKey = key === null ? null : await this.keyRing.seal(key, sendgridKeySealContext);
    const sendgridKeyAt = key === null ? null : new Date();
    await this.transactions.write(async (transaction) => {
      const actor = await lockAdmin(transaction.manager);
      await transaction.manager.update(Settings, settingsRow, { sendgridKey, sendgridKeyAt });
      const details = { sendgrid_api_key: key === null ? 'removed' : 'replaced' };
      await recordAuditEvent(transaction, { actor, type: 'settings_edit', details });
    });
  }

  /** Sends the mail at once, so that the answer says whether it left. */
  @Handles(testNotifications)
  async test({ from }: TestNotifications) {
    const user = await requireUser(this.settings.manager);
    if (from && user.role !== 'admin') {
      throw new AppError('forbidden', 'Seul un administrateur peut choisir l’expéditeur.');
    }
    const settings = await this.settings.findOneByOrFail(settingsRow);
    if (transportOf(settings) === null) throw new AppError('conflict', noTransport);
    await this.limits.countTestMail(user.id);
    const content = testMail(settings.appName, env.VIGIE_PUBLIC_URL);
    const failure = await this.transports.send(user.email, content, from ?? undefined).catch(asMailFailure);
    const result = failure ? ('refused' as const) : ('done' as const);
    const entry = { actorId: user.id, actorName: user.email, action: 'mail_test', target: user.email, result };
    await this.settings.manager.transaction((manager) => writeAudit(manager, entry));
    if (failure) throw new AppError('remote_failed', failure.message, { cause: failure });
    return { message: `Email de test envoyé à ${user.email}.` };
  }

  @Handles(listMails)
  async list() {
    const latest = await this.mails.find({ order: { createdAt: 'desc' }, take: 50 });
    return { items: latest.map(toMailView) };
  }
}

function asMailFailure(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error;
  throw error;
}
