import { expect, it } from 'vitest';
import { batchTexts } from './words';

it('uses singular and plural forms', () => {
  expect([batchTexts.delete.title(1), batchTexts.delete.done(1, ''), batchTexts.delete.done(3, '')]).toEqual([
    'Supprimer 1\u00a0site\u202f?',
    '1\u00a0site supprimé.',
    '3\u00a0sites supprimés.',
  ]);
  expect(batchTexts.join.done(2, 'Clients')).toBe('2\u00a0sites dans le groupe Clients.');
});
