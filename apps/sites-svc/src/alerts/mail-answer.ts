import type { AlertMessage, mailAlert } from '@vigie/contracts/alerts';
import type { Output } from '@vigie/contracts/contract';

type Mails = Output<typeof mailAlert>['items'];
type MailAnswer = { outcome: 'sent' | 'waiting' | 'refused'; attempts: number; error: string | null };

/** What the mails of a delivery say together: it was sent when all were. */
export function mailAnswer(mails: Mails): MailAnswer {
  const attempts = Math.max(0, ...mails.map((mail) => mail.attempts));
  const failures = mails.flatMap(({ to, error }) => (error === null ? [] : [`${to}\u00a0: ${error}`]));
  const error = failures.length > 0 ? failures.join(' ') : null;
  if (mails.some(({ state }) => state === 'queued')) return { outcome: 'waiting', attempts, error };
  return { outcome: mails.every(({ state }) => state === 'sent') ? 'sent' : 'refused', attempts, error };
}

/** A message as a mail; templates and the sender are those of auth-svc. */
export const toMail = ({ title, lines, link, link_label: label }: AlertMessage, channelName: string) => ({
  subject: title,
  paragraphs: [title, ...lines],
  action: { label, link },
  after: `Vous recevez ce message par le canal «\u00a0${channelName}\u00a0». Pour le régler ou le mettre en pause\u00a0: Vigie, écran Notifications.`,
});
