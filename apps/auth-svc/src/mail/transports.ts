import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { KeyRing } from '@vigie/service-kit/key-ring';
import sendgridClient from '@sendgrid/client';
import sendgrid from '@sendgrid/mail';
import { createTransport } from 'nodemailer';
import { Repository } from 'typeorm';
import { z } from 'zod';
import { env } from '../env';
import { placeOfSendgridKey, Settings, settingsRow } from '../settings/settings.entity';
import type { Letter } from './templates';

const timeoutMs = 10_000;

/** Why a mail did not leave, for an administrator; a permanent reason is not worth another attempt. */
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

/** The two ways a mail can leave: by the SendGrid key, else by SMTP. */
@Injectable()
export class Transports {
  constructor(
    @InjectRepository(Settings) private readonly settings: Repository<Settings>,
    private readonly keyRing: KeyRing,
  ) {}

  async send(to: string, letter: Letter, from?: string): Promise<void> {
    const settings = await this.settings.findOneByOrFail(settingsRow);
    const sender = from ?? settings.defaultSenderEmail ?? `vigie@${new URL(env.VIGIE_PUBLIC_URL).hostname}`;
    const message = { ...letter, to, from: { email: sender, name: settings.appName } };
    const way = transportOf(settings);
    if (way === 'sendgrid' && settings.sendgridKey) {
      return sendBySendgrid(await this.keyRing.unseal(settings.sendgridKey, placeOfSendgridKey), message);
    }
    if (way === 'smtp' && env.VIGIE_SMTP_URL) return sendBySmtp(env.VIGIE_SMTP_URL, message);
    throw new MailFailure(noTransport, false);
  }
}

export function transportOf({ sendgridKey }: Pick<Settings, 'sendgridKey'>): 'sendgrid' | 'smtp' | null {
  if (sendgridKey) return 'sendgrid';
  return env.VIGIE_SMTP_URL ? 'smtp' : null;
}

type Message = Letter & { to: string; from: { email: string; name: string } };

async function sendBySendgrid(key: string, message: Message): Promise<void> {
  sendgrid.setClient(sendgridClient);
  sendgrid.setApiKey(key);
  sendgrid.setTimeout(timeoutMs);
  // After the key, which puts the real address back.
  sendgridClient.setDefaultRequest('baseUrl', env.VIGIE_SENDGRID_URL);
  try {
    await sendgrid.send(message);
  } catch (error) {
    throw ofSendgrid(error, message.from.email);
  }
}

const SendgridError = z.object({
  code: z.number(),
  response: z.object({ body: z.object({ errors: z.array(z.object({ message: z.string() })) }) }).optional(),
});

/** What it refused is kept out of the cause: the library's error holds the request, and so the key. */
function ofSendgrid(error: unknown, sender: string): MailFailure {
  const { data } = SendgridError.safeParse(error);
  const said = data?.response?.body.errors.map(({ message }) => message).join(' ') ?? '';
  if (!data || data.code >= 500) return new MailFailure('SendGrid ne répond pas pour le moment.', false);
  if (data.code === 429) return new MailFailure('SendGrid demande d’attendre avant le prochain envoi.', false);
  if (data.code === 401)
    return new MailFailure('SendGrid a refusé la clé d’API\u00a0: vérifiez-la ou faites-en une autre.', true);
  if (data.code === 403) {
    return new MailFailure(
      `SendGrid n’autorise pas l’expéditeur ${sender}\u00a0: vérifiez-le chez SendGrid. ${said}`,
      true,
    );
  }
  return new MailFailure(`SendGrid a refusé ce message\u00a0: ${said || data.code}`, true);
}

async function sendBySmtp(url: string, { to, from, subject, text, html }: Message): Promise<void> {
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url, ...limits, disableFileAccess: true, disableUrlAccess: true });
  try {
    await transport.sendMail({ to, from: { address: from.email, name: from.name }, subject, text, html });
  } catch (error) {
    throw ofSmtp(error);
  } finally {
    transport.close();
  }
}

const SmtpError = z.object({
  code: z.string().optional(),
  responseCode: z.number().optional(),
  response: z.string().optional(),
});

function ofSmtp(error: unknown): MailFailure {
  const { data } = SmtpError.safeParse(error);
  if (data?.code === 'EAUTH')
    return new MailFailure('Le serveur SMTP a refusé l’identifiant ou le mot de passe.', true);
  if (data?.responseCode && data.responseCode >= 500) {
    return new MailFailure(`Le serveur SMTP a refusé ce message\u00a0: ${data.response ?? data.responseCode}`, true);
  }
  return new MailFailure('Le serveur SMTP ne répond pas pour le moment.', false);
}
