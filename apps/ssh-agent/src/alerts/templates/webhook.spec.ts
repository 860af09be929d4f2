import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import type { AlertKind } from '@vigie/contracts/channels';
import { aMessage } from '@vigie/testing/sample-alerts';
import { aReceiver, attempt } from '../alerts-for-tests';
import { webhookRequest } from './webhook';

const request = (secret: string, kind: AlertKind = 'opened') =>
  webhookRequest(aMessage({ kind }), aReceiver('webhook', { secret }), attempt);

const timestamp = String(Math.floor(attempt.at.getTime() / 1_000));
const signatureBy = (key: Buffer, body: string) =>
  `v1,${createHmac('sha256', key).update(`${attempt.messageId}.${timestamp}.${body}`).digest('base64')}`;

it('carries the message, and its time in whole seconds', () => {
  const { headers, body, url } = request('phrase-secrète-de-test');
  const { title, lines, severity, link, incident, at } = aMessage();
  const data = { title, lines, severity, link, incident };
  expect(JSON.parse(body)).toEqual({ id: attempt.messageId, type: 'incident.opened', created_at: at, data });
  expect(headers).toMatchObject({ 'webhook-id': attempt.messageId, 'webhook-timestamp': timestamp });
  expect(url).toBe(aReceiver('webhook').url);
});

it('is signed by the bytes of a secret in base64, and by the text of another one', () => {
  const key = Buffer.from([0, 255, 1, 254, 2]);
  const encoded = request(`whsec_${key.toString('base64')}`);
  expect(encoded.headers['webhook-signature']).toBe(signatureBy(key, encoded.body));
  const plain = request('mot-de-passe');
  expect(plain.headers['webhook-signature']).toBe(signatureBy(Buffer.from('mot-de-passe'), plain.body));
});

it('names the kind of the message', () => {
  const kinds = ['opened', 'reopened', 'reminder', 'resolved', 'test', 'digest'] as const;
  const types = kinds.map((kind) => (JSON.parse(request('s', kind).body) as { type: string }).type);
  const incidents = ['incident.opened', 'incident.reopened', 'incident.reminder', 'incident.resolved'];
  expect(types).toEqual([...incidents, 'test', 'digest']);
});
