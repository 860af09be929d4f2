import { anIncident, sampleIds } from '@vigie/testing/sample-incidents';
import { describe, expect, it } from 'vitest';
import { endTitle, incidentTitle, reasonOf, titleInSentence } from './incident-kinds';
import {
  durationWords,
  incidentDuration,
  muteWords,
  opinionDetails,
  stateWord,
  verdictSentence,
} from './incident-words';

const now = new Date('2026-03-03T03:20:00Z');
const spaced = (text: string | undefined) => text?.replaceAll(/[\u00a0\u202f]/g, ' ');

const id = sampleIds.site;

const server = { kind: 'server' as const, id, name: 'web-03' };
const hiddenServer = { kind: 'server' as const, id: null, name: 'Un serveur' };
const namedSite = { kind: 'site' as const, id, name: 'Le Phare' };
const hiddenSite = { kind: 'site' as const, id: null, name: 'Un site' };
const domain = { kind: 'domain' as const, cause: { kind: 'domain' as const, id: null, name: 'boutique.fr' } };
const elsewhere = { code: null, reason: 'boutique.fr pointait ailleurs.', ends_at: null };
const over = { state: 'resolved' as const, failing: 0, resolved_at: '2026-03-03T04:08:00Z' };
const ending = (at: string) => ({
  kind: 'certificate' as const,
  evidence: { code: null, reason: null, ends_at: at },
});

it.each([
  [{}, 'boutique.fr ne répond plus'],
  [over, 'boutique.fr ne répondait plus'],
  [{ cause: server, sites: 12, failing: 12 }, '12 sites de web-03 ne répondent plus'],
  [{ cause: server, sites: 12, failing: 1 }, '1 site de web-03 ne répond plus'],
  [{ cause: server, sites: 12, ...over }, '12 sites de web-03 ne répondaient plus'],
  [{ cause: server, sites: 12, failing: 12, is_server_down: true }, 'Le serveur web-03 ne répond plus (12 sites)'],
  [{ cause: server, sites: 0, failing: 0, is_server_down: true }, 'Le serveur web-03 ne répond plus'],
  [{ cause: server, sites: 12, is_server_down: true, ...over }, 'Le serveur web-03 ne répondait plus (12 sites)'],
  [{ cause: hiddenServer, sites: 2, failing: 2 }, '2 sites d’un serveur ne répondent plus'],
  [{ cause: hiddenServer, is_server_down: true }, 'Un serveur ne répond plus (1 site)'],
  [{ cause: hiddenSite, ...over }, 'Un site ne répondait plus'],
  [{ ...ending('2026-03-02T12:00:00Z'), cause: hiddenSite }, 'Le certificat d’un site a expiré'],
  [{ kind: 'content' as const }, 'boutique.fr n’affiche plus la page attendue'],
  [{ kind: 'content' as const, ...over }, 'boutique.fr n’affichait plus la page attendue'],
  [{ kind: 'network' as const }, 'Vigie est coupée du réseau'],
  [{ kind: 'network' as const, ...over }, 'Vigie était coupée du réseau'],
  [{ kind: 'unwatched' as const, ...over }, 'Vigie n’a pas veillé pendant 1 h'],
  [ending('2026-03-09T12:00:00Z'), 'Le certificat de boutique.fr expire dans 6 jours'],
  [ending('2026-03-04T12:00:00Z'), 'Le certificat de boutique.fr expire dans 1 jour'],
  [ending('2026-03-03T12:00:00Z'), 'Le certificat de boutique.fr expire dans moins de 24 heures'],
  [ending('2026-03-02T12:00:00Z'), 'Le certificat de boutique.fr a expiré'],
  [{ ...ending('2026-03-09T12:00:00Z'), ...domain }, 'Le domaine boutique.fr expire dans 6 jours'],
  [{ ...ending('2026-03-02T12:00:00Z'), ...domain }, 'Le domaine boutique.fr a expiré'],
  [{ kind: 'dns' as const, evidence: elsewhere }, 'boutique.fr pointe vers une autre adresse'],
  [{ kind: 'dns' as const, evidence: elsewhere, ...over }, 'boutique.fr pointait vers une autre adresse'],
  [
    { kind: 'dns' as const, evidence: elsewhere, cause: server, sites: 12, failing: 12 },
    '12 sites de web-03 pointent vers une autre adresse',
  ],
  [{ ...ending('2026-03-09T12:00:00Z'), ...over }, 'Le certificat de boutique.fr allait expirer'],
  [{ ...ending('2026-03-02T12:00:00Z'), ...over }, 'Le certificat de boutique.fr avait expiré'],
])('titles %j', (fields, title) => {
  expect(spaced(incidentTitle(anIncident(fields), now))).toBe(title);
});

it.each([
  [{}, 'boutique.fr répond de nouveau'],
  [{ cause: server, sites: 12 }, '12 sites de web-03 répondent de nouveau'],
  [{ cause: server, sites: 1 }, '1 site de web-03 répond de nouveau'],
  [{ cause: server, sites: 12, is_server_down: true }, 'Le serveur web-03 répond de nouveau'],
  [{ cause: hiddenServer, is_server_down: true }, 'Un serveur répond de nouveau'],
  [{ cause: hiddenSite }, 'Un site répond de nouveau'],
  [{ kind: 'content' as const }, 'boutique.fr affiche de nouveau la page attendue'],
  [{ kind: 'network' as const }, 'Vigie a retrouvé le réseau'],
  [{ kind: 'unwatched' as const, ...over }, 'Vigie veille de nouveau, après 1 h sans rien vérifier'],
  [ending('2026-03-09T12:00:00Z'), 'Le certificat de boutique.fr est renouvelé'],
  [{ ...ending('2026-03-09T12:00:00Z'), ...domain }, 'Le domaine boutique.fr est renouvelé'],
  [{ kind: 'dns' as const }, 'boutique.fr pointe de nouveau vers son adresse'],
  [{ kind: 'dns' as const, cause: server, sites: 12 }, '12 sites de web-03 pointent de nouveau vers leur adresse'],
  [{ resolution: 'closed' as const }, 'Incident clos : boutique.fr ne répondait plus'],
  [{ resolution: 'closed' as const, cause: namedSite }, 'Incident clos : Le Phare ne répondait plus'],
  [{ resolution: 'closed' as const, kind: 'network' as const }, 'Incident clos : Vigie était coupée du réseau'],
  [
    { resolution: 'closed' as const, ...ending('2026-03-09T12:00:00Z'), cause: namedSite },
    'Incident clos : le certificat de Le Phare allait expirer',
  ],
])('says how it ended: %j', (fields, title) => {
  expect(spaced(endTitle(anIncident({ ...over, resolution: 'recovered', ...fields }), now))).toBe(title);
});

it.each([
  [{ cause: namedSite }, 'Le Phare ne répond plus'],
  [{ cause: hiddenSite }, 'un site ne répond plus'],
  [{ kind: 'content' as const, cause: hiddenSite }, 'un site n’affiche plus la page attendue'],
  [{ cause: server, is_server_down: true }, 'le serveur web-03 ne répond plus (1 site)'],
  [{ cause: hiddenServer, is_server_down: true }, 'un serveur ne répond plus (1 site)'],
  [{ kind: 'network' as const }, 'Vigie est coupée du réseau'],
])('keeps the capital of a name after a colon: %j', (fields, title) => {
  expect(spaced(titleInSentence(anIncident(fields), now))).toBe(title);
});

it('elides the article before a vowel', () => {
  const cause = { kind: 'site' as const, id, name: 'atelier.fr' };
  expect(incidentTitle(anIncident({ ...ending('2026-03-02T12:00:00Z'), cause }), now)).toBe(
    'Le certificat d’atelier.fr a expiré',
  );
});

it.each([
  [{ code: 502, reason: null, ends_at: null }, 'HTTP 502'],
  [{ code: 502, reason: 'Une phrase.', ends_at: null }, 'HTTP 502'],
  [{ code: 0, reason: 'Le site n’a pas répondu en 15\u00a0s.', ends_at: null }, 'Le site n’a pas répondu en 15 s.'],
  [{ code: 0, reason: null, ends_at: null }, 'Pas de réponse'],
  [{ code: null, reason: null, ends_at: '2026-03-09T12:00:00Z' }, 'Certificat valable jusqu’au 9 mars 2026'],
  [
    { code: null, reason: 'R11', ends_at: '2026-03-09T12:00:00Z' },
    'Certificat valable jusqu’au 9 mars 2026 (émis par R11)',
  ],
  [{ code: null, reason: null, ends_at: null }, undefined],
  [null, undefined],
])('says why: %j', (evidence, reason) => {
  const kind = evidence?.ends_at ? 'certificate' : 'outage';
  expect(spaced(reasonOf({ kind, evidence }, 'Europe/Paris'))).toBe(reason);
});

it('says of a domain where it is registered', () => {
  const evidence = { code: null, reason: 'OVH', ends_at: '2026-03-09T12:00:00Z' };
  expect(spaced(reasonOf({ kind: 'domain', evidence }, 'Europe/Paris'))).toBe(
    'Domaine valable jusqu’au 9 mars 2026 (enregistré chez OVH)',
  );
  expect(spaced(reasonOf({ kind: 'domain', evidence: { ...evidence, reason: null } }, 'Europe/Paris'))).toBe(
    'Domaine valable jusqu’au 9 mars 2026',
  );
});

describe('a second opinion', () => {
  it('says whether the site answers its own server', () => {
    expect(verdictSentence('answers_there')).toBe('Répond chez lui, pas d’ici.');
    expect(verdictSentence('answers_there', { isOver: true })).toBe('Répondait chez lui, pas d’ici.');
    expect(verdictSentence('fails_there')).toBe('Ne répond pas non plus chez lui.');
    expect(verdictSentence('fails_everywhere', { elsewhere: 'web-02' })).toBe(
      'Ne répond pour personne\u00a0: ni d’ici, ni chez lui, ni depuis web-02.',
    );
    expect(verdictSentence('fails_everywhere', { elsewhere: null })).toContain('ni d’ailleurs.');
    expect(verdictSentence('unknown')).toBe('Son serveur n’a pas pu être interrogé.');
  });

  it('says what each place answered', () => {
    const opinion = {
      verdict: 'fails_everywhere' as const,
      at: '2026-03-03T03:12:00Z',
      own: { code: 502, ms: 1_204, error: null },
      other: { code: 0, ms: null, error: 'Délai dépassé.', server_name: 'web-02' },
    };
    expect(spaced(opinionDetails(opinion))).toBe(
      'Depuis son serveur : HTTP 502 en 1 204 ms. Depuis web-02 : pas de réponse (délai dépassé).',
    );
    const own = { code: null, ms: null, error: null };
    expect(spaced(opinionDetails({ ...opinion, own, other: null }))).toBe(
      'Depuis son serveur : impossible de lui demander.',
    );
  });
});

it.each([
  [20_000, 'moins d’une minute'],
  [12 * 60_000, '12 min'],
  [185 * 60_000, '3 h 05'],
  [52 * 3_600_000, '2 j 4 h'],
  [48 * 3_600_000, '2 j'],
])('spells %i ms', (ms, words) => {
  expect(spaced(durationWords(ms))).toBe(words);
});

it('measures from the first failed check to the end, or to now', () => {
  expect(spaced(incidentDuration(anIncident(), now))).toBe('12 min');
  expect(spaced(incidentDuration(anIncident(over), now))).toBe('1 h');
});

it('says how bad it is, and then how it ended', () => {
  expect(stateWord(anIncident({ severity: 'warning' }))).toBe('Attention');
  expect(stateWord(anIncident({ state: 'resolved', resolution: 'recovered' }))).toBe('Rétabli');
  expect(stateWord(anIncident({ state: 'resolved', resolution: 'closed' }))).toBe('Clos');
});

it('says until when it is muted', () => {
  const words = (until: string) => spaced(muteWords(until, now, 'Europe/Paris'));
  expect(words('2026-03-03T04:20:00Z')).toBe('jusqu’à 05:20');
  expect(words('2026-03-04T03:20:00Z')).toBe('jusqu’au 4 mars à 04:20');
});
