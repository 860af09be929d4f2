import { expect, it } from 'vitest';
import { z } from 'zod';
import { isOn, page, sortBy, sortedBy, text } from './address';

it('keeps to what an address may say', () => {
  const search = z.object({ q: text, add: isOn, page });
  expect(search.parse({ q: 12, add: true, page: 2 })).toEqual({ q: '12', add: true, page: 2 });
  expect(search.parse({ q: 'x', add: 'oui', page: 1 })).toEqual({ q: 'x', add: undefined, page: undefined });
});

it('sorts by name what is not sorted by a column of this list', () => {
  const columns = ['name', 'url'] as const;
  expect(sortedBy(columns, '-url')).toEqual({ column: 'url', isDescending: true });
  expect(sortedBy(columns, '-name')).toEqual({ column: 'name', isDescending: true });
  expect(sortedBy(columns, '-curl')).toEqual({ column: 'name', isDescending: false });
  expect(sortedBy(columns, undefined)).toEqual({ column: 'name', isDescending: false });
});

it('keeps of a sort what differs from the usual', () => {
  expect(sortBy('name', false)).toBeUndefined();
  expect(sortBy('name', true)).toBe('-name');
  expect(sortBy('ttl', false)).toBe('ttl');
});
