import { expect, it } from 'vitest';
import { z } from 'zod';
import { flag, page, formatSort, parseSort, text } from './search-params';

it('drops invalid search parameters', () => {
  const search = z.object({ q: text, add: flag, page });
  expect(search.parse({ q: 12, add: true, page: 2 })).toEqual({ q: '12', add: true, page: 2 });
  expect(search.parse({ q: 'x', add: 'oui', page: 1 })).toEqual({ q: 'x', add: undefined, page: undefined });
});

it('sorts by name when the address names no column of this list', () => {
  const columns = ['name', 'url'] as const;
  expect(parseSort(columns, '-url')).toEqual({ column: 'url', isDescending: true });
  expect(parseSort(columns, '-name')).toEqual({ column: 'name', isDescending: true });
  expect(parseSort(columns, '-curl')).toEqual({ column: 'name', isDescending: false });
  expect(parseSort(columns, undefined)).toEqual({ column: 'name', isDescending: false });
});

it('sorts by the first column of a list that has another one than the name', () => {
  const columns = ['attention', 'name'] as const;
  expect(parseSort(columns, undefined, 'attention')).toEqual({ column: 'attention', isDescending: false });
  expect(formatSort('attention', false, 'attention')).toBeUndefined();
  expect(formatSort('name', false, 'attention')).toBe('name');
});

it('leaves the default sort out of the address', () => {
  expect(formatSort('name', false)).toBeUndefined();
  expect(formatSort('name', true)).toBe('-name');
  expect(formatSort('ttl', false)).toBe('ttl');
});
