import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource, type EntityManager } from 'typeorm';
import { env } from '../env';
import { Mailer } from '../mail/mailer';
import { tokenExpiryMail } from '../mail/templates';
import { Settings, settingsRow } from '../settings/settings.entity';

const everyMs = 60_000;

/** Tokens that expire within a week, unless they were made for less. A token is locked by the replica that mails. */
const claimSql = `
  update tokens t set warned_at = now() from users u
  where u.id = t.user_id and t.id in (
    select id from tokens
    where warned_at is null and expires_at between now() and now() + interval '7 days'
      and created_at < expires_at - interval '7 days'
    order by expires_at limit 100 for update skip locked)
  returning t.name, t.expires_at, u.email`;

type ExpiringToken = { name: string; expires_at: Date; email: string };

/** Queues a mail a week before a token expires, in the transaction that notes it, so that each token has one. */
@Injectable()
export class ExpiryMails implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task = new RepeatingTask(
    makeLog('auth-svc', env.VIGIE_LOG_LEVEL),
    'mails about tokens could not be queued',
    () => this.database.transaction((manager) => this.queue(manager)),
  );

  constructor(
    private readonly database: DataSource,
    private readonly mailer: Mailer,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(everyMs);
    void this.task.runNow();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.drain();
  }

  private async queue(manager: EntityManager): Promise<void> {
    const [tokens]: [ExpiringToken[], number] = await manager.query(claimSql);
    if (tokens.length === 0) return;
    const { appName } = await manager.findOneByOrFail(Settings, settingsRow);
    for (const { name, expires_at: expiresAt, email } of tokens) {
      const mail = tokenExpiryMail(appName, env.VIGIE_PUBLIC_URL, name, expiresAt);
      await this.mailer.queue(manager, { ...mail, to: email, expiresAt, needsAccount: true });
    }
  }
}
