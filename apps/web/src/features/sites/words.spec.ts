import { describe, expect, it } from 'vitest';
import { httpLabel, isBroken, spellAlarm, spellWork, updateState } from './words';

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

it('offers repairs for a site whose host answers, and that does not work', () => {
  expect(isBroken({ status: 'error', ssh_error: null })).toBe(true);
  expect(isBroken({ status: 'error', ssh_error: 'Refus.' })).toBe(false);
  expect(isBroken({ status: 'warning', ssh_error: null })).toBe(false);
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

it('names only what somebody must see to', () => {
  const site = { status: 'error', ssh_error: null, problem: null, http: httpStatus(502) } as const;
  const problem = { kind: 'fatal', message: '', file: null, line: null, culprit: null } as const;
  expect(spellAlarm(site)).toBe('502');
  expect(spellAlarm({ ...site, http: httpStatus(0, 'Silence.') })).toBe('Ne répond pas');
  expect(spellAlarm({ ...site, problem })).toBe('Ne démarre pas');
  expect(spellAlarm({ ...site, problem, ssh_error: 'Refus.' })).toBe('Connexion en échec');
  expect(spellAlarm({ ...site, status: 'warning', http: httpStatus(404) })).toBeUndefined();
});

it('says what goes on at a site', () => {
  const work = { job_id: '', kind: 'changes.update', state: 'running', step: 'Copie', open: 1, done: 0 } as const;
  expect(spellWork(work)).toBe('Mise à jour… Copie');
  expect(spellWork({ ...work, open: 4, done: 1 })).toBe('Mise à jour… 2 sur 5');
  expect(spellWork({ ...work, step: null })).toBe('Mise à jour…');
  expect(spellWork({ ...work, state: 'queued' })).toBe('En file');
});
