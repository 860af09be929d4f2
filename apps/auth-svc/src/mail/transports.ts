import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { Repository } from 'typeorm';
import { z } from 'zod';
import { env } from '../env';
import { sendgridKeySealContext, Settings, settingsRow } from '../settings/settings.entity';
import type { MailContent } from './templates';

const timeoutMs = 10_000;
/** Limit for the whole SMTP session, however many answers it takes: the sender of a test mail is waiting. */
const totalTimeoutMs = 12_000;

/** Says why a mail did not leave, in a sentence for administrators. A permanent failure is not retried. */
export class MailFailure extends Error {
  constructor(
    sentence: string,
    readonly isPermanent: boolean,
    options?: ErrorOptions,
  ) {
    super(sentence, options);
  }
}

export const noTransport =
  'Aucun service d’envoi n’est configuré\u00a0: enregistrez une clé SendGrid, ou définissez VIGIE_SMTP_URL sur le serveur.';

@Injectable()
export class Transports {
  constructor(
    @InjectRepository(Settings) private readonly settings: Repository<Settings>,
    private readonly keyRing: KeyRing,
  ) {}

  async send(to: string, content: MailContent, from?: string): Promise<void> {
    const settings = await this.settings.findOneByOrFail(settingsRow);
    const sender = from ?? settings.defaultSenderEmail ?? `vigie@${new URL(env.VIGIE_PUBLIC_URL).hostname}`;
    const message = { ...content, to, from: { email: sender, name: settings.appName } };
    const transport = transportOf(settings);
    if (transport === 'sendgrid' && settings.sendgridKey) {
      return sendBySendgrid(await this.keyRing.unseal(settings.sendgridKey, sendgridKeySealContext), message);
    }
    if (transport === 'smtp' && env.VIGIE_SMTP_URL) return sendBySmtp(env.VIGIE_SMTP_URL, message);
    throw new MailFailure(noTransport, false);
  }
}

export function transportOf({ sendgridKey }: Pick<Settings, 'sendgridKey'>): 'sendgrid' | 'smtp' | null {
  if (sendgridKey) return 'sendgrid';
  return env.VIGIE_SMTP_URL ? 'smtp' : null;
}

type Message = MailContent & { to: string; from: { email: string; name: string } };

/** Loads the client at the first mail: it is as large as the service itself, and many installations never use it. */
async function sendBySendgrid(key: string, message: Message): Promise<void> {
  const [{ default: sendgrid }, { default: sendgridClient }] = await Promise.all([
    import('@sendgrid/mail'),
    import('@sendgrid/client'),
  ]);
  sendgrid.setClient(sendgridClient);
  sendgrid.setApiKey(key);
  sendgrid.setTimeout(timeoutMs);
  // Set after the key, because setApiKey restores the default URL.
  sendgridClient.setDefaultRequest('baseUrl', env.VIGIE_SENDGRID_URL);
  try {
    await sendgrid.send({ ...message, to: { email: message.to } });
  } catch (error) {
    throw sendgridFailure(error, message.from.email);
  }
}

const SendgridError = z.object({
  code: z.number(),
  response: z.object({ body: z.object({ errors: z.array(z.object({ message: z.string() })) }) }).optional(),
});

/** The library’s error holds the request, and so the key: it must not become the cause. */
function sendgridFailure(error: unknown, sender: string): MailFailure {
  const { data } = SendgridError.safeParse(error);
  const reasons = data?.response?.body.errors.map(({ message }) => message).join(' ') ?? '';
  if (!data || data.code >= 500) return new MailFailure('SendGrid ne répond pas pour le moment.', false);
  if (data.code === 429) return new MailFailure('SendGrid demande d’attendre avant le prochain envoi.', false);
  if (data.code === 401)
    return new MailFailure('SendGrid a refusé la clé d’API\u00a0: vérifiez-la, ou créez-en une autre.', true);
  if (data.code === 403) {
    return new MailFailure(
      `SendGrid n’autorise pas l’expéditeur ${sender}\u00a0: vérifiez-le chez SendGrid. ${reasons}`,
      true,
    );
  }
  return new MailFailure(`SendGrid a refusé ce message\u00a0: ${reasons || data.code}`, true);
}

/** Loads the client at the first mail, like that of SendGrid. */
async function sendBySmtp(url: string, { to, from, subject, text, html }: Message): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url, ...limits, disableFileAccess: true, disableUrlAccess: true });
  try {
    // An object is one address; nodemailer would read a string as a list of addresses.
    const recipient = { address: to, name: '' };
    const sending = transport.sendMail({
      to: recipient,
      from: { address: from.email, name: from.name },
      subject,
      text,
      html,
    });
    await Promise.race([sending, failWhenTooSlow()]);
  } catch (error) {
    throw error instanceof MailFailure ? error : smtpFailure(error);
  } finally {
    transport.close();
  }
}

async function failWhenTooSlow(): Promise<never> {
  await wait(totalTimeoutMs, undefined, { ref: false });
  throw new MailFailure('Le serveur SMTP est trop lent\u00a0: ce message est peut-être parti malgré tout.', false);
}

const SmtpError = z.object({
  code: z.string().optional(),
  responseCode: z.number().optional(),
  response: z.string().optional(),
});

function smtpFailure(error: unknown): MailFailure {
  const { data } = SmtpError.safeParse(error);
  if (data?.code === 'EAUTH')
    return new MailFailure('Le serveur SMTP a refusé l’identifiant ou le mot de passe.', true);
  if (data?.responseCode && data.responseCode >= 500) {
    return new MailFailure(`Le serveur SMTP a refusé ce message\u00a0: ${data.response ?? data.responseCode}`, true);
  }
  return new MailFailure('Le serveur SMTP ne répond pas pour le moment.', false);
}
