import { createHmac } from 'node:crypto';
import type { AlertKind } from '@vigie/contracts/channels';
import { jsonRequest, type Template } from './template';

const types: Readonly<Record<AlertKind, string>> = {
  opened: 'incident.opened',
  reopened: 'incident.reopened',
  reminder: 'incident.reminder',
  resolved: 'incident.resolved',
  test: 'test',
  digest: 'digest',
};
const prefix = 'whsec_';

/** The form of Standard Webhooks: the receiver proves by the secret who sent the message, and when. */
export const webhookRequest: Template = (message, { url, secret }, { messageId, at }) => {
  const { kind, title, lines, severity, link, incident } = message;
  const data = { title, lines, severity, link, incident };
  const request = jsonRequest(url, { id: messageId, type: types[kind], created_at: message.at, data });
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signature = sign(`${messageId}.${timestamp}.${request.body}`, secret ?? '');
  const headers = { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return { ...request, headers: { ...request.headers, ...headers } };
};

function sign(text: string, secret: string): string {
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : secret;
  return createHmac('sha256', key).update(text).digest('base64');
}
