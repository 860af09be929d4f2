import { expect, it } from 'vitest';
import { plain, plainWords } from './plain';

it('has neither accents nor case nor a kind of apostrophe', () => {
  expect(plain('L’Été à ÉVREUX')).toBe(
    "l'été à évreux"
      .normalize('NFD')
      .replaceAll(/[\u0300-\u036F]/g, '')
      .replace("'", ' '),
  );
  expect(plain('Réglages')).toBe(plain('REGLAGES'));
});

it('takes an address for what is shown of it', () => {
  expect(plainWords('  https://www.Exemple.fr/ ')).toEqual(['exemple.fr']);
  expect(plainWords('http://exemple.fr/blog/ www.essai.fr')).toEqual(['exemple.fr/blog', 'essai.fr']);
  expect(plainWords('https://www. // ’')).toEqual([]);
});
