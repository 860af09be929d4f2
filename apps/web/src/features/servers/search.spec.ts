import { expect, it } from 'vitest';
import { formerServer, ServersSearch } from './search';

it('finds the page that an address of a former release means', () => {
  const pageOf = (search: object) => formerServer(ServersSearch.parse(search));
  expect(pageOf({ q: 'web' })).toBeUndefined();
  expect(pageOf({ edit: 'a' })).toBeUndefined();
  expect(pageOf({ open: 'a', test: 'job' })).toEqual({ serverId: 'a', search: { test: 'job' } });
  expect(pageOf({ open: 'a', edit: 'a' })?.search.edit).toBe(true);
  expect(pageOf({ discover: 'a', found: 'job' })).toEqual({ serverId: 'a', search: { discover: true, found: 'job' } });
});
