import { expect, it } from 'vitest';
import { isStale, lastSearch, spellInventory, spellReading } from './freshness';

const found = (checked_at: string | null, error: string | null = null) => ({ checked_at, error });

it.each([
  ['inspect', null, 'Lu'],
  ['scan', 'fatal', 'Fichiers lus'],
  ['inspect', 'fatal', 'Lu sans plugins ni thème'],
  ['inspect', 'database', 'Lu'],
] as const)('spells how a site was read (%s, %s)', (depth, kind, text) => {
  expect(spellReading({ depth, problem: kind && { kind } })).toBe(text);
});

it('says which inventory is left of a site that does not start', () => {
  const problem = { kind: 'fatal' } as const;
  expect(spellInventory({ depth: 'inspect', problem })).toContain('Vigie l’a lu sans ses plugins ni son thème');
  expect(spellInventory({ depth: 'scan', problem })).toContain('Vigie a lu ses fichiers sans le démarrer');
});

it('dates a search for updates by the oldest of the three, and says once why it failed', () => {
  const [old, recent] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
  const error = 'WordPress.org ne répond pas.';
  expect(lastSearch({ core: found(recent), plugins: found(old), themes: found(recent) })).toEqual({ at: old });
  expect(lastSearch({ core: found(recent, error), plugins: found(old, error), themes: found(null) })).toEqual({
    at: null,
    error,
  });
});

it('is stale after two days', () => {
  expect(isStale('2026-01-01T00:00:00Z', new Date('2026-01-02T23:00:00Z'))).toBe(false);
  expect(isStale('2026-01-01T00:00:00Z', new Date('2026-01-03T01:00:00Z'))).toBe(true);
});
