import { expect, it } from 'vitest';
import { words } from './words';

it('says of one what it says of several', () => {
  expect([words.delete.title(1), words.delete.done(1, ''), words.delete.done(3, '')]).toEqual([
    'Supprimer 1\u00a0site\u202f?',
    '1\u00a0site supprimé.',
    '3\u00a0sites supprimés.',
  ]);
  expect(words.join.done(2, 'Clients')).toBe('2\u00a0sites dans le groupe Clients.');
});
