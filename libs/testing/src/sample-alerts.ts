import type { AlertMessage } from '@vigie/contracts/alerts';
import { anIncident, sampleIds } from './sample-incidents';

const at = '2026-11-29T03:04:05.000Z';

export const aMessage = (changes: Partial<AlertMessage> = {}): AlertMessage => ({
  kind: 'opened',
  severity: 'critical',
  title: 'boutique.fr ne répond plus',
  lines: ['HTTP\u00a0502 depuis 4\u00a0min.', 'Propriétaire\u00a0: Élodie'],
  link: `https://vigie.example/incidents/${sampleIds.incident}`,
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
