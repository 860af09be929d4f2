import { Controller } from '@nestjs/common';
import { mailAlert } from '@vigie/contracts/alerts';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { lockName } from '@vigie/service-kit/locks';
import { DataSource, type EntityManager } from 'typeorm';
import { Settings, settingsRow } from '../settings/settings.entity';
import { User } from '../users/user.entity';
import { Mail } from './mail.entity';
import { Mailer } from './mailer';
import { alertMail } from './templates';
import { noTransport, transportOf } from './transports';

type Alert = Input<typeof mailAlert>;
type MailState = Output<typeof mailAlert>['items'][number];

const mailLifetimeMs = 24 * 60 * 60_000;
const noRecipient =
  'Ce message n’a aucun destinataire\u00a0: donnez des adresses à ce canal, ou supprimez-le si son compte n’existe plus.';

/**
 * Mails the alerts of sites-svc. The first call for a delivery fixes its recipients; each call answers the state of its
 * mails. A mail is final after its lifetime of a day, long before the retention deletes its row.
 */
@Controller()
export class AlertMailsController {
  constructor(
    private readonly database: DataSource,
    private readonly mailer: Mailer,
  ) {}

  @Handles(mailAlert)
  mail(alert: Alert): Promise<Output<typeof mailAlert>> {
    const { delivery_id: deliveryId } = alert;
    return this.database.transaction(async (manager) => {
      // Two first calls must not both choose its recipients.
      await lockName(manager, 'deliveries', deliveryId);
      if (!(await manager.existsBy(Mail, { deliveryId }))) await this.queue(manager, alert);
      const mails = await manager.find(Mail, { where: { deliveryId }, order: { recipient: 'asc' } });
      return { items: mails.map(toMailState) };
    });
  }

  private async queue(manager: EntityManager, { delivery_id: deliveryId, to, ...content }: Alert): Promise<void> {
    const settings = await manager.findOneByOrFail(Settings, settingsRow);
    const recipients = await findRecipients(manager, to);
    if (recipients.size === 0) throw new AppError('not_found', noRecipient);
    if (transportOf(settings) === null) throw new AppError('conflict', noTransport);
    const mail = alertMail(settings.appName, content);
    const expiresAt = new Date(Date.now() + mailLifetimeMs);
    const needsAccount = to.kind !== 'addresses';
    for (const email of recipients)
      await this.mailer.queue(manager, { ...mail, to: email, expiresAt, needsAccount, deliveryId });
  }
}

async function findRecipients(manager: EntityManager, to: Alert['to']): Promise<Set<string>> {
  if (to.kind === 'addresses') return new Set(to.emails);
  const users = await manager.findBy(User, to.kind === 'user' ? { id: to.user_id } : { role: 'admin' });
  return new Set(users.map(({ email }) => email));
}

const toMailState = ({ recipient, state, attempts, error }: Mail): MailState => ({
  to: recipient,
  state,
  attempts,
  error,
});
