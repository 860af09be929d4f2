import { describe, expect, it } from 'vitest';
import { httpOf, reasonsOf, spellInventory, spellReading, spellUpdates, titleOf, updateState } from './words';

const seen = (code: number, error: string | null = null) => ({
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
])('an answer %i is %s', (code, tone) => {
  expect(httpOf(seen(code))).toEqual({ tone, word: String(code), why: undefined });
});

it('no answer is N/A, for its reason', () => {
  expect(httpOf(seen(0, 'Adresse non autorisée'))).toEqual({
    tone: 'neutral',
    word: 'N/A',
    why: 'Adresse non autorisée',
  });
  expect(httpOf(null).word).toBe('N/A');
});

describe('whether something is up to date', () => {
  const now = new Date('2026-02-03T12:00:00Z');
  const check = (at: string | null, error: string | null = null) => ({ checked_at: at, error });

  it('is never said by a check that failed or never was', () => {
    expect(updateState(check('2026-02-03T11:00:00.000Z', 'refus'), false, now).word).toBe('Vérification en échec');
    expect(updateState(check(null), false, now).word).toBe('Jamais vérifié');
    expect(updateState(undefined, false, now).word).toBe('Jamais vérifié');
  });

  it('is grey once the check is old', () => {
    expect(updateState(check('2026-02-03T11:00:00.000Z'), false, now)).toEqual({ tone: 'ok', word: 'À jour' });
    expect(updateState(check('2026-01-31T11:00:00.000Z'), false, now).tone).toBe('neutral');
  });

  it('is no where an update is known', () => {
    expect(updateState(check(null, 'refus'), true, now).word).toBe('Mise à jour disponible');
  });
});

it('names the culprit where it is known', () => {
  const culprit = { type: 'plugin' as const, slug: 'casse' };
  expect(titleOf({ kind: 'fatal', culprit })).toBe('Le plugin casse provoque une erreur PHP.');
  expect(titleOf({ kind: 'fatal', culprit: null })).toBe('Une erreur PHP arrête ce site.');
});

it('never says that one that does not start was read by the whole of WordPress', () => {
  const problem = { kind: 'fatal' as const };
  expect(spellReading({ depth: 'inspect', problem: null })).toBe('Lu par WordPress lui-même');
  expect(spellReading({ depth: 'inspect', problem })).toBe('Lu par WordPress, sans ses plugins ni son thème,');
  expect(spellReading({ depth: 'inspect', problem: { kind: 'unreadable' } })).toBe('Lu par WordPress lui-même');
  expect(spellReading({ depth: 'scan', problem })).toBe('Lu sans démarrer WordPress');
  expect(spellInventory({ depth: 'inspect', problem })).toContain('Vigie l’a lu sans ses plugins ni son thème');
  expect(spellInventory({ depth: 'scan', problem })).toContain('Vigie a lu ses fichiers sans le démarrer');
});

it('says why a badge is what it is', () => {
  const site = {
    status: 'warning' as const,
    ssh_error: null,
    problem: null,
    updates: { core: 1, plugins: 2, themes: 0 },
  };
  expect(spellUpdates(site)).toBe('WordPress, 2\u00a0plugins');
  expect(reasonsOf({ ...site, http: seen(404) })).toEqual([
    'Le site répond 404.',
    'À mettre à jour\u00a0: WordPress, 2\u00a0plugins.',
  ]);
  expect(reasonsOf({ ...site, status: 'unknown', http: null, updates: null })).toEqual(['Pas encore testé.']);
});
