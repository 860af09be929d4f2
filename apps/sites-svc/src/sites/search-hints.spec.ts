import { expect, it } from 'vitest';
import { nearest } from './search-hints';

it('puts the names that come near first, and keeps the order of the others', () => {
  const names = ['Agence', 'Vitrines', 'UX Bretagne', 'Curiosités'];
  expect(nearest('vitrinne', names)[0]).toBe('Vitrines');
  expect(nearest('bertagne', names)[0]).toBe('UX Bretagne');
  expect(nearest('curiosites', names)[0]).toBe('Curiosités');
  expect(nearest('zzz', names)).toEqual(names);
});
