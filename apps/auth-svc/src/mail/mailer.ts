import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import type { Sealed } from '@vigie/vault/seal';
import { DataSource, type EntityManager, type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { z } from 'zod';
import { env } from '../env';
import { User } from '../users/user.entity';
import { Mail, bodySealContext } from './mail.entity';
import type { MailContent } from './templates';
import { MailFailure, Transports } from './transports';

const pollEveryMs = 1_000;
/** Longer than a provider may take to answer: another replica sends the mail when its sender died. */
const lease = '1 minute';
const retryDelaysMs = [10_000, 60_000, 300_000, 900_000, 3_600_000];

const Body = z.object({ text: z.string(), html: z.string() });

type QueuedMail = MailContent & { to: string; expiresAt: Date; needsAccount?: boolean; deliveryId?: string | null };

/**
 * Sends the mails of a table: a mail that a committed transaction queued is sent, or becomes an error that
 * administrators see. Replicas share the work. A replica that dies between sending a mail and recording it sends it
 * twice; the other order would lose it.
 */
@Injectable()
export class Mailer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('auth-svc', env.VIGIE_LOG_LEVEL);
  private readonly task = new RepeatingTask(this.log, 'mails could not be sent', () => this.sendAll());
  private isStopped = false;

  constructor(
    private readonly database: DataSource,
    private readonly keyRing: KeyRing,
    private readonly transports: Transports,
  ) {}

  async queue(
    manager: EntityManager,
    { to, subject, text, html, expiresAt, needsAccount = false, deliveryId = null }: QueuedMail,
  ): Promise<void> {
    const id = uuid();
    const body = await this.keyRing.seal(JSON.stringify({ text, html }), bodySealContext(id));
    const mail = { id, recipient: to, subject, body, needsAccount, deliveryId, expiresAt };
    await manager.insert(Mail, { ...mail, state: 'queued' });
  }

  private get mails(): Repository<Mail> {
    return this.database.getRepository(Mail);
  }

  onApplicationBootstrap(): void {
    this.task.start(pollEveryMs);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.task.drain();
  }

  private async sendAll(): Promise<void> {
    for (let mail = await this.claim(); mail && !this.isStopped; mail = await this.claim()) await this.sendOne(mail);
  }

  private async claim(): Promise<Mail | undefined> {
    const [[claimed]]: [{ id: string }[], number] = await this.database.query(
      `update mails set attempts = attempts + 1, next_at = now() + interval '${lease}'
       where id = (
         select id from mails where state = 'queued' and next_at <= now()
         order by next_at limit 1 for update skip locked
       ) returning id`,
    );
    if (!claimed) return undefined;
    return (await this.database.manager.findOneBy(Mail, { id: claimed.id })) ?? undefined;
  }

  private async sendOne(mail: Mail): Promise<void> {
    const { id, recipient, subject, body, expiresAt, needsAccount } = mail;
    if (needsAccount && !(await this.database.manager.existsBy(User, { email: recipient }))) return this.drop(mail);
    try {
      if (!body || expiresAt < new Date())
        throw new MailFailure(mail.error ?? 'Email expiré avant d’avoir pu être envoyé.', true);
      await this.transports.send(recipient, { subject, ...(await this.unsealBody(id, body)) });
    } catch (error) {
      // Any other error is not the mail’s fault: the next claim, after the lease, tries again.
      if (!(error instanceof MailFailure)) throw error;
      await this.noteFailure(mail, error);
      return;
    }
    await this.mails.update({ id }, { state: 'sent', body: null, error: null, sentAt: new Date() });
  }

  /** A mail of a delivery stays, because sites-svc waits for its state, and would queue it again if it were gone. */
  private async drop({ id, deliveryId }: Mail): Promise<void> {
    if (deliveryId === null) await this.mails.delete({ id });
    else await this.mails.update({ id }, { state: 'failed', body: null, error: 'Ce compte n’existe plus.' });
  }

  private async unsealBody(id: string, body: Sealed): Promise<z.infer<typeof Body>> {
    try {
      return Body.parse(JSON.parse(await this.keyRing.unseal(body, bodySealContext(id))));
    } catch (error) {
      this.log.error({ err: error, mail: id }, 'a mail could not be unsealed');
      throw new MailFailure('Ce message n’a pas pu être préparé.', true, { cause: error });
    }
  }

  private async noteFailure({ id, attempts, expiresAt }: Mail, failure: MailFailure): Promise<void> {
    const retryDelayMs = retryDelaysMs[attempts - 1];
    const nextAt = new Date(Date.now() + (retryDelayMs ?? 0));
    const isFinal = failure.isPermanent || retryDelayMs === undefined || nextAt > expiresAt;
    const change = isFinal ? { state: 'failed' as const, body: null } : { nextAt };
    await this.mails.update({ id }, { ...change, error: failure.message.slice(0, 500) });
  }
}
