import type { AlertMessage } from '@vigie/contracts/alerts';
import type { Receiver, ReceiverKind } from './receiver';
import { requestFor } from './templates/request-for';
import type { AlertRequest } from './templates/template';

export const attempt = {
  messageId: '019a0000-0000-7000-8000-000000000003',
  at: new Date('2026-11-29T03:04:06.789Z'),
};

const urls: Readonly<Record<ReceiverKind, string>> = {
  webhook: 'https://hooks.example/adresse-secrète',
  slack: 'https://hooks.slack.com/services/T00/B00/jeton-secret',
  discord: 'https://discord.com/api/webhooks/123/jeton-secret',
  teams: 'https://teams.example/workflows/abc?sig=signature-secrète',
  google_chat: 'https://chat.googleapis.com/v1/spaces/AAA/messages?key=clé&token=jeton-secret',
  telegram: 'https://api.telegram.org/',
  ntfy: 'https://ntfy.sh/sujet-secret',
};

export const aReceiver = (kind: ReceiverKind, changes: Partial<Receiver> = {}): Receiver => ({
  kind,
  url: urls[kind],
  secret: kind === 'telegram' ? '123456:jeton-secret-du-robot-de-test' : null,
  chatId: kind === 'telegram' ? '-1001234567890' : null,
  ...changes,
});

/** A request as the stand-in of its receiver judges it. */
export const asReceived = (kind: ReceiverKind, { headers, body }: AlertRequest) => ({
  kind,
  at: attempt.at,
  headers,
  body,
});

export const bodyFor = (kind: ReceiverKind, message: AlertMessage): Record<string, unknown> =>
  JSON.parse(requestFor(message, aReceiver(kind), attempt).body) as Record<string, unknown>;
