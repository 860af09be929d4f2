import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { env } from '../env';
import { Settings, settingsRow } from '../settings/settings.entity';
import type { User } from '../users/user.entity';
import { Mailer } from './mailer';
import { type AccessChange, accessMail } from './templates';

const mailLifetimeMs = 24 * 60 * 60_000;

/** Tells users what opens their account from now on, or no longer does: it may not be them who changed it. */
@Injectable()
export class AccessMails {
  constructor(private readonly mailer: Mailer) {}

  async queue(manager: EntityManager, { email }: User, change: AccessChange): Promise<void> {
    const { appName } = await manager.findOneByOrFail(Settings, settingsRow);
    const mail = accessMail(appName, env.VIGIE_PUBLIC_URL, change);
    const expiresAt = new Date(Date.now() + mailLifetimeMs);
    await this.mailer.queue(manager, { ...mail, to: email, expiresAt, needsAccount: true });
  }
}
