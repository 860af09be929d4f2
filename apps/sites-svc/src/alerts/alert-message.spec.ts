import type { Incident, IncidentItem } from '@vigie/contracts/incidents';
import { anEvent, anIncident, aSubject, aWholeIncident, sampleIds } from '@vigie/testing/sample-incidents';
import { expect, it } from 'vitest';
import { digestMessage, incidentMessage, testMessage } from './alert-message';

const now = new Date('2026-03-03T03:20:00Z');
const options = { timeZone: 'Europe/Paris', now };
const spaced = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/[\u00a0\u202f]/g, ' '));

const id = sampleIds.incident;
const item = anIncident({ verdict: 'fails_there' });
const own = { code: 502, ms: 12, error: null };
const opinion = { verdict: 'fails_there' as const, at: item.observed_at, own, other: null };
const task = anEvent({
  at: '2026-03-03T03:05:00Z',
  kind: 'task',
  by: 'Claire',
  subject: 'boutique.fr',
  job: { id, kind: 'changes.update', state: 'succeeded' },
});
const incident = (fields: Partial<Incident> = {}): Incident =>
  aWholeIncident({ ...item, subjects: [aSubject('boutique.fr', { opinion })], events: [task], ...fields });

it('says what fails, since when, what its own server says, and what Vigie did just before', () => {
  const message = incidentMessage(incident(), { ...options, kind: 'opened' });
  expect(message).toMatchObject({
    severity: 'critical',
    title: 'boutique.fr ne répond plus',
    link: `/incidents/${id}`,
    link_label: 'Voir l’incident et réparer',
    incident: item,
  });
  expect(spaced(message.lines)).toEqual([
    'HTTP 502.',
    'Depuis le 3 mars à 04:08 (12 min).',
    'Ne répond pas non plus chez lui.',
    'Le 3 mars à 04:05 : Claire a lancé une mise à jour sur boutique.fr : sans erreur.',
  ]);
  expect(Object.keys(message.incident ?? {})).not.toContain('events');
});

it('names the first sites of a server, and counts the others', () => {
  const names = ['a.fr', 'b.fr', 'c.fr', 'd.fr', 'e.fr', 'f.fr'];
  const cause = { kind: 'server' as const, id, name: 'web-03' };
  const ofServer = incident({
    cause,
    sites: 12,
    failing: 12,
    events: [],
    subjects: names.map((name) => aSubject(name)),
  });
  const message = incidentMessage(ofServer, { ...options, kind: 'reopened' });
  expect(spaced([message.title])).toEqual(['De nouveau : 12 sites de web-03 ne répondent plus']);
  expect(message.link_label).toBe('Voir l’incident');
  expect(spaced(message.lines).at(-1)).toBe('Touchés : a.fr, b.fr, c.fr, d.fr, e.fr et 7 sites de plus.');
});

it('says how long it lasted, in the time of the channel', () => {
  const over = { state: 'resolved', resolution: 'recovered', resolved_at: '2026-03-03T03:20:00Z', failing: 0 } as const;
  const message = incidentMessage(incident({ ...over, events: [] }), {
    kind: 'resolved',
    timeZone: 'America/Martinique',
    now,
  });
  expect(message.title).toBe('boutique.fr répond de nouveau');
  expect(spaced(message.lines)).toEqual(['Du 2 mars à 23:08 au 2 mars à 23:20 : 12 min.']);
  const closed = anEvent({ at: over.resolved_at, kind: 'closed', by: 'Claire' });
  const byHand = incidentMessage(incident({ ...over, resolution: 'closed', events: [closed] }), {
    ...options,
    kind: 'resolved',
  });
  expect(spaced([byHand.title, ...byHand.lines])).toEqual([
    'Incident clos : boutique.fr ne répondait plus',
    'Claire a clos l’incident.',
    'Du 3 mars à 04:08 au 3 mars à 04:20 : 12 min.',
  ]);
});

const server = { kind: 'server' as const, id, name: 'web-03' };
const hiddenServer = { kind: 'server' as const, id: null, name: 'Un serveur' };
const withOpinion = (name: string) => aSubject(name, { opinion });
const resolved = {
  state: 'resolved',
  resolution: 'recovered',
  resolved_at: '2026-03-03T03:20:00Z',
  failing: 0,
} as const;
const textOf = (fields: Partial<Incident>, kind: 'opened' | 'reopened' | 'reminder' | 'resolved') => {
  const { title, lines } = incidentMessage(incident({ events: [], ...fields }), { ...options, kind });
  return spaced([title, ...lines]);
};

it('says of a certificate until when it is valid, never since when', () => {
  const evidence = { code: null, reason: 'R11', ends_at: '2026-03-09T12:00:00Z' };
  const fields = { kind: 'certificate' as const, evidence, subjects: [aSubject('boutique.fr')] };
  const open = [
    'Le certificat de boutique.fr expire dans 6 jours',
    'Certificat valable jusqu’au 9 mars 2026 (émis par R11).',
  ];
  expect(textOf(fields, 'opened')).toEqual(open);
  expect(textOf(fields, 'reminder')).toEqual(open);
  expect(textOf({ ...fields, ...resolved }, 'resolved')).toEqual(['Le certificat de boutique.fr est renouvelé']);
  const closed = anEvent({ at: resolved.resolved_at, kind: 'closed', by: 'Claire' });
  expect(textOf({ ...fields, ...resolved, resolution: 'closed', events: [closed] }, 'resolved')).toEqual([
    'Incident clos : le certificat de boutique.fr allait expirer',
    'Claire a clos l’incident.',
  ]);
  const certificate: IncidentItem = { ...item, kind: 'certificate', evidence };
  const ended: IncidentItem = { ...certificate, state: 'resolved', resolved_at: resolved.resolved_at };
  const day = { open: [certificate], openTotal: 1, ended: [ended], endedTotal: 1, sites: 1 };
  expect(spaced(digestMessage(day, options).lines).slice(0, 2)).toEqual([
    'En cours : le certificat de boutique.fr expire dans 6 jours.',
    'Terminé : le certificat de boutique.fr allait expirer.',
  ]);
});

it('says that Vigie itself is cut off', () => {
  const fields = { kind: 'network' as const, evidence: null, subjects: [] };
  expect(textOf(fields, 'reopened')).toEqual([
    'De nouveau : Vigie est coupée du réseau',
    'Depuis le 3 mars à 04:08 (12 min).',
  ]);
  expect(textOf({ ...fields, ...resolved }, 'resolved')).toEqual([
    'Vigie a retrouvé le réseau',
    'Du 3 mars à 04:08 au 3 mars à 04:20 : 12 min.',
  ]);
});

it('names the site that was asked for when a server is down', () => {
  const fields = { cause: server, is_server_down: true, evidence: null, sites: 2, failing: 2 };
  expect(textOf({ ...fields, subjects: [withOpinion('a.fr'), aSubject('b.fr')] }, 'reopened')).toEqual([
    'De nouveau : le serveur web-03 ne répond plus (2 sites)',
    'Depuis le 3 mars à 04:08 (12 min).',
    'Second avis (a.fr) : ne répond pas non plus chez lui.',
    'Touchés : a.fr, b.fr.',
  ]);
  const one = { ...fields, sites: 1, failing: 1, subjects: [aSubject('a.fr')] };
  expect(textOf(one, 'opened').at(-1)).toBe('Touché : a.fr.');
  expect(textOf({ ...one, subjects: [] }, 'opened')).toEqual([
    'Le serveur web-03 ne répond plus (1 site)',
    'Depuis le 3 mars à 04:08 (12 min).',
  ]);
});

it('names the only site that the reader sees of a hidden server', () => {
  const fields = { cause: hiddenServer, is_server_down: true, evidence: null };
  const one = { ...fields, subjects: [withOpinion('Boutique')] };
  expect(textOf(one, 'opened')).toEqual([
    'Boutique ne répond plus',
    'Depuis le 3 mars à 04:08 (12 min).',
    'Ne répond pas non plus chez lui.',
  ]);
  expect(textOf(one, 'reopened')[0]).toBe('De nouveau : Boutique ne répond plus');
  expect(textOf({ ...one, ...resolved }, 'resolved')[0]).toBe('Boutique répond de nouveau');
  const two = { ...fields, sites: 2, failing: 2, subjects: [aSubject('a.fr'), aSubject('b.fr', { id: null })] };
  expect(textOf(two, 'reopened')[0]).toBe('De nouveau : un serveur ne répond plus (2 sites)');
  expect(textOf(two, 'opened').at(-1)).toBe('Touchés : a.fr, b.fr.');
});

it('writes the first day of a month as one says it', () => {
  const day = { open: [], openTotal: 0, ended: [], endedTotal: 0, sites: 1 };
  const titleAt = (at: string) => spaced([digestMessage(day, { ...options, now: new Date(at) }).title])[0];
  expect(titleAt('2026-03-01T08:00:00Z')).toBe('Bulletin du 1er mars : rien à signaler');
  expect(titleAt('2026-03-10T08:00:00Z')).toBe('Bulletin du 10 mars : rien à signaler');
});

it('sums up a day', () => {
  const quiet = digestMessage({ open: [], openTotal: 0, ended: [], endedTotal: 0, sites: 42 }, options);
  expect(spaced([quiet.title, ...quiet.lines])).toEqual([
    'Bulletin du 3 mars : rien à signaler',
    'Aucun incident depuis 24 heures.',
    'Vigie surveille 42 sites.',
  ]);
  const ended: IncidentItem = { ...item, state: 'resolved', resolved_at: '2026-03-03T03:10:00Z', failing: 0 };
  const busy = digestMessage({ open: [item], openTotal: 30, ended: [ended], endedTotal: 1, sites: 1 }, options);
  expect(spaced([busy.title, ...busy.lines])).toEqual([
    'Bulletin du 3 mars : 30 incidents en cours, 1 terminé',
    'En cours : boutique.fr ne répond plus, depuis 12 min.',
    'Et 29 de plus.',
    'Terminé : boutique.fr ne répondait plus (2 min).',
    'Vigie surveille 1 site.',
  ]);
});

it('tests a channel with a link that only shows', () => {
  expect(testMessage(now)).toMatchObject({
    link: '/notifications?tab=channels',
    incident: null,
  });
});
