import { expect, it } from 'vitest';
import { spellUpdates, titleOf } from './site-words';

it('names the culprit of an error', () => {
  const culprit = { type: 'plugin' as const, slug: 'casse' };
  expect(titleOf({ kind: 'fatal', culprit })).toBe('Le plugin casse provoque une erreur PHP.');
  expect(titleOf({ kind: 'fatal', culprit: null })).toBe('Une erreur PHP arrête ce site.');
});

it('spells the waiting updates', () => {
  expect(spellUpdates({ core: 1, plugins: 2, themes: 1 })).toBe('WordPress, 2\u00a0plugins, 1\u00a0thème');
  expect(spellUpdates({ core: 0, plugins: 0, themes: 0 })).toBe('');
  expect(spellUpdates(null)).toBe('');
});
