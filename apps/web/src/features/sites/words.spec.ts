import { describe, expect, it } from 'vitest';
import { httpLabel, reasonsOf, spellUpdates, titleOf, updateState } from './words';

const httpStatus = (code: number, error: string | null = null) => ({
  code,
  error,
  method: 'GET',
  url: 'https://exemple.fr',
  ms: 12,
  checked_at: '2026-02-01T12:00:00.000Z',
});

it.each([
  [200, 'ok'],
  [301, 'ok'],
  [404, 'warn'],
  [503, 'danger'],
])('shows an answer %i as %s', (code, tone) => {
  expect(httpLabel(httpStatus(code))).toEqual({ tone, word: String(code), reason: undefined });
});

it('shows N/A with the reason where there was no answer', () => {
  expect(httpLabel(httpStatus(0, 'Adresse non autorisée'))).toEqual({
    tone: 'neutral',
    word: 'N/A',
    reason: 'Adresse non autorisée',
  });
  expect(httpLabel(null).word).toBe('N/A');
});

describe('the state of updates', () => {
  const now = new Date('2026-02-03T12:00:00Z');
  const check = (at: string | null, error: string | null = null) => ({ checked_at: at, error });

  it('is never "up to date" after a failed or missing check', () => {
    expect(updateState(check('2026-02-03T11:00:00.000Z', 'refus'), false, now).word).toBe('Vérification en échec');
    expect(updateState(check(null), false, now).word).toBe('Jamais vérifié');
    expect(updateState(undefined, false, now).word).toBe('Jamais vérifié');
  });

  it('is grey once the check is old', () => {
    expect(updateState(check('2026-02-03T11:00:00.000Z'), false, now)).toEqual({ tone: 'ok', word: 'À jour' });
    expect(updateState(check('2026-01-31T11:00:00.000Z'), false, now).tone).toBe('neutral');
  });

  it('is "update available" where an update is known, even after a failed check', () => {
    expect(updateState(check(null, 'refus'), true, now).word).toBe('Mise à jour disponible');
  });
});

it('names the culprit of an error', () => {
  const culprit = { type: 'plugin' as const, slug: 'casse' };
  expect(titleOf({ kind: 'fatal', culprit })).toBe('Le plugin casse provoque une erreur PHP.');
  expect(titleOf({ kind: 'fatal', culprit: null })).toBe('Une erreur PHP arrête ce site.');
});

it('gives the reasons of a status', () => {
  const site = {
    status: 'warning' as const,
    ssh_error: null,
    problem: null,
    updates: { core: 1, plugins: 2, themes: 0 },
  };
  expect(spellUpdates(site)).toBe('WordPress, 2\u00a0plugins');
  expect(reasonsOf({ ...site, http: httpStatus(404) })).toEqual([
    'Le site répond 404.',
    'À mettre à jour\u00a0: WordPress, 2\u00a0plugins.',
  ]);
  expect(reasonsOf({ ...site, status: 'unknown', http: null, updates: null })).toEqual(['Pas encore testé.']);
});
