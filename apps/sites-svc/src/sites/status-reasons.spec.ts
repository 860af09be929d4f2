import { expect, it } from 'vitest';
import { statusReasons } from './status-reasons';

const site = { status: 'ok', ssh_error: null, problem: null, http: null, updates: null } as const;
const http = (code: number, error: string | null = null) => ({
  code,
  error,
  method: 'GET',
  url: 'https://exemple.fr',
  ms: 12,
  checked_at: '2026-02-01T12:00:00.000Z',
});

it('gives the reasons of a status, the worst first', () => {
  const updates = { core: 1, plugins: 2, themes: 0 };
  expect(statusReasons({ ...site, status: 'warning', http: http(404), updates })).toEqual([
    'Le site répond 404.',
    'À mettre à jour\u00a0: WordPress, 2\u00a0plugins.',
  ]);
  const problem = { kind: 'fatal', message: '', file: null, line: null, culprit: null } as const;
  expect(statusReasons({ ...site, status: 'error', ssh_error: 'Refus.', problem, http: http(0, 'Silence.') })).toEqual([
    'Refus.',
    'Une erreur PHP arrête ce site.',
    'Silence.',
  ]);
});

it('says that a site was never tested, and nothing of one that is well', () => {
  expect(statusReasons({ ...site, status: 'unknown' })).toEqual(['Pas encore testé.']);
  expect(statusReasons({ ...site, http: http(200), updates: { core: 0, plugins: 0, themes: 0 } })).toEqual([]);
});
