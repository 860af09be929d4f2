import { expect, it } from 'vitest';
import { tabOf, ZonesSearch } from './search';

const searched = (search: object) => ZonesSearch.parse(search);

it('begins with the zones, or with the configuration where there is none', () => {
  expect(tabOf(searched({}), true)).toBe('zones');
  expect(tabOf(searched({}), false)).toBe('config');
  expect(tabOf(searched({ tab: 'mapping' }), true)).toBe('mapping');
});

it('shows records only once a zone is chosen', () => {
  expect(tabOf(searched({ tab: 'dns' }), true)).toBe('zones');
  expect(tabOf(searched({ tab: 'dns', zone: 'z' }), true)).toBe('dns');
});

it('keeps to what an address may say', () => {
  expect(searched({ tab: 'rien', sort: 'couleur', page: 1, add: 'oui', q: 12 })).toEqual({ q: '12' });
});
