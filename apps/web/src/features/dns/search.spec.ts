import { expect, it } from 'vitest';
import { tabOf, ZonesSearch } from './search';

const parse = (search: object) => ZonesSearch.parse(search);

it('opens the zones, or the configuration where none is stored', () => {
  expect(tabOf(parse({}), true)).toBe('zones');
  expect(tabOf(parse({}), false)).toBe('config');
  expect(tabOf(parse({ tab: 'mapping' }), true)).toBe('mapping');
});

it('opens the records only once a zone is chosen', () => {
  expect(tabOf(parse({ tab: 'dns' }), true)).toBe('zones');
  expect(tabOf(parse({ tab: 'dns', zone: 'z' }), true)).toBe('dns');
});

it('drops invalid values of the address', () => {
  expect(parse({ tab: 'rien', sort: 'couleur', page: 1, add: 'oui', q: 12 })).toEqual({ q: '12' });
});
