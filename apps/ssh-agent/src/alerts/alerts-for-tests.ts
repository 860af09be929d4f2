import type { AlertMessage } from '@vigie/contracts/alerts';
import type { IncidentItem } from '@vigie/contracts/incidents';
import type { Receiver, ReceiverKind } from './receiver';
import { requestFor } from './templates/request-for';
import type { AlertRequest } from './templates/template';

const at = '2026-11-29T03:04:05.000Z';

export const anIncident = (changes: Partial<IncidentItem> = {}): IncidentItem => ({
  id: '019a0000-0000-7000-8000-000000000001',
  kind: 'outage',
  severity: 'critical',
  state: 'open',
  cause: { kind: 'site', id: '019a0000-0000-7000-8000-000000000002', name: 'boutique.fr' },
  is_server_down: false,
  sites: 1,
  failing: 1,
  evidence: null,
  verdict: null,
  observed_at: at,
  opened_at: at,
  resolved_at: null,
  resolution: null,
  acknowledged_at: null,
  acknowledged_by: null,
  muted_until: null,
  is_flapping: false,
  reopenings: 0,
  ...changes,
});

export const aMessage = (changes: Partial<AlertMessage> = {}): AlertMessage => ({
  kind: 'opened',
  severity: 'critical',
  title: 'boutique.fr ne répond plus',
  lines: ['HTTP\u00a0502 depuis 4\u00a0min.', 'Propriétaire\u00a0: Élodie'],
  link: 'https://vigie.example/incidents/019a0000-0000-7000-8000-000000000001',
  link_label: 'Voir l’incident',
  at,
  incident: anIncident(),
  ...changes,
});

/** Names that mention, format or link where a chat is let to. */
const hostileNames = [
  '@everyone @here @channel @all @camille',
  '<!channel> <!here|x> <@U0123> <#C0123> <users/all> <at>Camille</at> <t:0:R> <:x:1>',
  '[cliquez](https://evil.example/) <https://evil.example/|vigie.example> https://evil.example/ evil@evil.example',
  '*gras* _italique_ __souligné__ ~~barré~~ ||caché|| `code` ```bloc``` \\* \\[x\\](y)',
  '# titre',
  '> citation',
  '- liste',
  '1. liste',
  '<b>gras</b> &amp; &lt;!channel&gt;',
  'ligne\r\nX-Header: 1\u0000\u202Eesrever\u200B',
];

export const hostileMessage = (): AlertMessage =>
  aMessage({ title: hostileNames.join(' '), lines: hostileNames, link_label: '[a](b) <x|y> @everyone *z*' });

export const longMessage = (): AlertMessage =>
  aMessage({ title: '🚨<&*_[é'.repeat(2_000), lines: ['🚨<&*_[é'.repeat(1_000), '\\'.repeat(9_000)] });

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
