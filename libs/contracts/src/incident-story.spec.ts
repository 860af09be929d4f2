import { anEvent, aWholeIncident, aSubject } from '@vigie/testing/sample-incidents';
import { describe, expect, it } from 'vitest';
import { eventSentence, postMortem } from './incident-story';
import type { Incident, Opinion } from './incidents';

const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');
const opinion: Opinion = {
  verdict: 'fails_there',
  at: '2026-03-03T03:12:00Z',
  own: { code: 502, ms: 30, error: null },
  other: null,
};
const evidence = { code: 502, reason: null, ends_at: null };
const update = { id: '0192f0c1-0000-7000-8000-000000000002', kind: 'changes.update', state: 'failed' };
const backup = { ...update, kind: 'backups.create', state: 'succeeded' };

it.each([
  [{ evidence }, 'Premier échec : HTTP 502.'],
  [{ evidence, subject: 'boutique.fr' }, 'Premier échec de boutique.fr : HTTP 502.'],
  [{ kind: 'opened' }, 'La panne se confirme : l’incident est ouvert.'],
  [{ kind: 'opened', count: 12 }, 'La panne se confirme sur 12 sites : l’incident est ouvert.'],
  [{ kind: 'joined', subject: 'blog.fr' }, 'blog.fr ne répond plus.'],
  [{ kind: 'joined', count: 11 }, '11 sites de plus ne répondent plus.'],
  [{ kind: 'opinion', opinion }, 'Ne répond pas non plus chez lui.'],
  [{ kind: 'opinion', opinion, subject: 'blog.fr' }, 'blog.fr : ne répond pas non plus chez lui.'],
  [{ kind: 'recovered', subject: 'blog.fr' }, 'blog.fr répond de nouveau.'],
  [{ kind: 'recovered', count: 3 }, '3 sites répondent de nouveau.'],
  [{ kind: 'reopened' }, 'Ça recommence : l’incident est rouvert.'],
  [{ kind: 'acknowledged', by: 'Anne Martin' }, 'Anne Martin s’en occupe.'],
  [{ kind: 'acknowledged' }, 'Quelqu’un s’en occupe.'],
  [{ kind: 'muted', by: 'Anne', until: '2026-03-03T04:08:00Z' }, 'Anne a mis l’incident en sourdine jusqu’à 05:08.'],
  [{ kind: 'unmuted', by: 'Anne' }, 'Anne a levé la sourdine.'],
  [{ kind: 'unmuted' }, 'La sourdine est finie.'],
  [{ kind: 'commented', by: 'Anne', text: 'Je redémarre PHP.' }, 'Anne a écrit :'],
  [{ kind: 'merged' }, 'L’incident rejoint celui de son serveur.'],
  [{ kind: 'removed', subject: 'blog.fr' }, 'blog.fr n’est plus dans Vigie.'],
  [{ kind: 'closed', by: 'Anne' }, 'Anne a clos l’incident.'],
  [{ kind: 'alerted', subject: 'Astreinte' }, 'Alerte envoyée par « Astreinte ».'],
  [{ kind: 'alert_failed', subject: 'Astreinte' }, 'L’alerte par « Astreinte » n’est pas partie :'],
  [{ kind: 'resolved' }, 'Tout répond de nouveau : l’incident est terminé.'],
  [{ kind: 'task', job: update, subject: 'blog.fr' }, 'Vigie a lancé une mise à jour sur blog.fr : échec.'],
  [{ kind: 'task', job: backup, by: 'Anne' }, 'Anne a lancé une sauvegarde : sans erreur.'],
  [{ kind: 'task', job: { ...update, kind: 'later.kind' } }, 'Vigie a lancé une tâche : échec.'],
] as const)('says %j', (fields, sentence) => {
  expect(spaced(eventSentence(anEvent(fields), { kind: 'outage' }, 'Europe/Paris'))).toBe(sentence);
});

it('speaks of certificates and of the network', () => {
  const say = (kind: Incident['events'][number]['kind'], incident: Incident['kind']) =>
    eventSentence(anEvent({ kind }), { kind: incident });
  expect(say('observed', 'network')).toBe('Vigie ne joint plus rien.');
  expect(say('observed', 'certificate')).toBe('Le certificat expire bientôt.');
  expect(say('recovered', 'certificate')).toBe('Le certificat est renouvelé.');
  expect(say('resolved', 'certificate')).toBe('L’incident est terminé.');
  expect(say('opened', 'network')).toBe('La coupure se confirme\u00a0: l’incident est ouvert.');
  expect(say('recovered', 'network')).toBe('Le réseau est revenu.');
  expect(say('observed', 'unwatched')).toBe('La veille s’est arrêtée.');
  expect(say('resolved', 'unwatched')).toBe('Les vérifications ont repris.');
});

const resolved_at = '2026-03-03T03:29:00Z';
const incident = aWholeIncident({
  state: 'resolved',
  failing: 0,
  verdict: 'fails_there',
  resolved_at,
  resolution: 'recovered',
  acknowledged_at: '2026-03-03T03:14:00Z',
  acknowledged_by: 'Anne Martin',
  subjects: [aSubject('boutique.fr', { id: null, until: resolved_at, opinion })],
  events: [
    anEvent({ evidence }),
    anEvent({
      at: '2026-03-03T03:14:00Z',
      kind: 'commented',
      by: 'Anne Martin',
      text: 'Je redémarre PHP.\nEt je regarde.',
    }),
    anEvent({ at: '2026-03-03T03:20:00Z', kind: 'task', job: update }),
  ],
});

describe('the story to copy', () => {
  it('tells when, how long, what was seen, who did what, and what Vigie did', () => {
    expect(spaced(postMortem(incident)).split('\n')).toEqual([
      'boutique.fr ne répondait plus',
      '',
      'Début : 3 mars 2026 à 04:08 UTC+1',
      'Incident ouvert : 3 mars 2026 à 04:11 UTC+1',
      'Fin : 3 mars 2026 à 04:29 UTC+1',
      'Durée : 21 min',
      'Gravité : Critique',
      'Cause : boutique.fr',
      'Observé : HTTP 502',
      'Second avis : Ne répondait pas non plus chez lui. Depuis son serveur : HTTP 502 en 30 ms.',
      'Pris en charge : par Anne Martin, 3 mars à 04:14',
      'Issue : Rétabli',
      'Tâches de Vigie : une mise à jour (échec)',
      '',
      'Déroulé',
      '- 3 mars à 04:08 : Premier échec : HTTP 502.',
      '- 3 mars à 04:14 : Anne Martin a écrit : Je redémarre PHP.',
      '  Et je regarde.',
      '- 3 mars à 04:20 : Vigie a lancé une mise à jour : échec.',
      '',
    ]);
  });

  it('follows the time zone, and says what is not over or not known', () => {
    const open: Incident = {
      ...incident,
      state: 'open',
      resolved_at: null,
      resolution: null,
      acknowledged_at: null,
      evidence: null,
      subjects: [],
      events: [],
      cause: { kind: 'server', id: update.id, name: 'web-03' },
      sites: 12,
      failing: 12,
    };
    const text = spaced(postMortem(open, { timeZone: 'America/Montreal', now: new Date('2026-03-03T03:10:00Z') }));
    expect(text).toContain('Début : 2 mars 2026 à 22:08 UTC−5');
    expect(text).toContain('Fin : pas encore\nDurée : 2 min');
    expect(text).toContain('Cause : le serveur web-03, qui répond pourtant lui-même (12 sites)');
    expect(text).toContain('Pris en charge : par personne');
    expect(text).not.toContain('Observé');
  });
});
