import { expect, it } from 'vitest';
import { foldText, searchWords } from './search-text';

it('folds accents, case and apostrophes', () => {
  expect(foldText('L’Été à ÉVREUX')).toBe(
    "l'été à évreux"
      .normalize('NFD')
      .replaceAll(/[\u0300-\u036F]/g, '')
      .replace("'", ' '),
  );
  expect(foldText('Réglages')).toBe(foldText('REGLAGES'));
});

it('reduces an address to the part that lists show', () => {
  expect(searchWords('  https://www.Exemple.fr/ ')).toEqual(['exemple.fr']);
  expect(searchWords('http://exemple.fr/blog/ www.essai.fr')).toEqual(['exemple.fr/blog', 'essai.fr']);
  expect(searchWords('https://www. // ’')).toEqual([]);
});
