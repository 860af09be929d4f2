import { expect, it } from 'vitest';
import type { RepairCheck } from '@vigie/contracts/site-repairs';
import { verdictOf } from './words';

const page = (code: number) => ({
  code,
  error: null,
  method: 'GET',
  url: '',
  ms: 1,
  checked_at: '2026-01-01T00:00:00Z',
});
const aCheck = (fields: Partial<RepairCheck> & { code?: number }): RepairCheck => ({
  at: '2026-01-01T00:00:00Z',
  maintenance: null,
  boot: { starts: true, starts_bare: null, problem: null },
  last_fatal: null,
  pages: { home: page(fields.code ?? 200), login: page(200) },
  proposals: [],
  aside: [],
  aside_folder: null,
  notes: [],
  ...fields,
});
const culprit = { type: 'plugin' as const, slug: 'avarie' };
const problem = { kind: 'fatal' as const, message: '', file: null, line: null, culprit };
const maintenance = { mtime: 1, made_at: '2026-01-01T00:00:00Z', holds: 'always' as const, until: null };

it('says that a site works only where WordPress starts and visitors see its pages', () => {
  expect(verdictOf(aCheck({})).tone).toBe('ok');
  expect(verdictOf(aCheck({ code: 500 })).text).toContain('ne voient pas');
  expect(verdictOf(aCheck({ code: 0 })).tone).toBe('danger');
  const blank = { ...page(200), error: 'La page est vide.' };
  expect(verdictOf(aCheck({ pages: { home: blank, login: page(200) } })).text).toContain('ne voient pas');
  expect(verdictOf(aCheck({ boot: { starts: false, starts_bare: true, problem } })).text).toBe(
    'WordPress ne démarre pas\u00a0: avarie l’en empêche.',
  );
  expect(verdictOf(aCheck({ code: 503, maintenance })).text).toContain('.maintenance');
  // WordPress ignores a maintenance file that has expired.
  expect(verdictOf(aCheck({ code: 500, maintenance: { ...maintenance, holds: 'over' } })).text).not.toContain(
    '.maintenance',
  );
});
