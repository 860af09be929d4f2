import { describe, expect, it } from 'vitest';
import { alertFault } from '@vigie/testing/alert-receivers/faults';
import { anIncident } from '@vigie/testing/sample-incidents';
import { aMessage, hostileMessage, longMessage } from '@vigie/testing/sample-alerts';
import { aReceiver, asReceived, attempt } from '../alerts-for-tests';
import { requestFor } from './request-for';

const secret = 'whsec_c2VjcmV0LWRlLXRlc3QtZGUtMzItb2N0ZXRzLWVudg==';
const chats = ['slack', 'discord', 'teams', 'google_chat', 'telegram', 'ntfy'] as const;
const kinds = ['webhook', ...chats] as const;

describe.each(kinds)('a message by %s', (kind) => {
  const receiver = aReceiver(kind, kind === 'webhook' ? { secret } : {});
  const faultOf = (message = aMessage()) =>
    alertFault(asReceived(kind, requestFor(message, receiver, attempt)), { webhookSecret: secret, ntfyToken: null });

  it('is taken', () => {
    expect(faultOf()).toBeUndefined();
    expect(faultOf(aMessage({ kind: 'test', severity: null, incident: null, lines: [] }))).toBeUndefined();
  });

  it('mentions, formats and links nothing that its texts name', () => {
    expect(faultOf(hostileMessage())).toBeUndefined();
  });

  it('is cut to what the receiver takes, at whole characters', () => {
    expect(faultOf(longMessage())).toBeUndefined();
    const { body, headers } = requestFor(longMessage(), receiver, attempt);
    expect(`${body}${JSON.stringify(headers)}`).not.toMatch(/\\ud[89a-f]|\p{Cs}/u);
  });
});

/** All that a reader sees, as one text. */
function textOf(kind: (typeof chats)[number], message = aMessage()): string {
  const { headers, body } = requestFor(message, aReceiver(kind), attempt);
  const titleWords = [...(headers['title'] ?? '').matchAll(/=\?UTF-8\?B\?([^?]+)\?=/g)];
  return `${titleWords.map(([, word = '']) => Buffer.from(word, 'base64').toString()).join('')}\n${body}`;
}

describe.each(chats)('a reader at %s', (kind) => {
  it('sees the severity, the title, the lines and the link with its label', () => {
    const text = textOf(kind);
    const { link, link_label: label, lines } = aMessage();
    for (const part of ['Critique\u00a0: boutique.fr ne répond plus', ...lines, link, label])
      expect(text).toContain(part);
    expect(textOf(kind, aMessage({ severity: 'warning' }))).toContain('Attention\u00a0: ');
  });

  it('sees how an incident ended', () => {
    const ended = (fields: Parameters<typeof anIncident>[0], title = 'Titre') =>
      textOf(kind, aMessage({ kind: 'resolved', title, incident: anIncident({ state: 'resolved', ...fields }) }));
    expect(ended({ resolution: 'recovered' })).toContain('Rétabli (critique)\u00a0: Titre');
    expect(ended({ resolution: 'recovered', kind: 'certificate' })).toContain('Rétabli\u00a0: Titre');
    const closed = ended({ resolution: 'closed' }, 'Incident clos\u00a0: Vitrine ne répondait plus');
    expect(closed).toContain('Incident clos\u00a0: Vitrine ne répondait plus');
    expect(closed).not.toMatch(/critique\)|Clos[^e]/);
  });

  it('sees the link of a text that is too long', () => {
    expect(textOf(kind, longMessage())).toContain(aMessage().link);
  });
});
