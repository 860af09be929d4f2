import { expect, it } from 'vitest';
import { coreRows } from './core-row';

const site = { wpCore: { version: '6.8', hasUpdate: true, new_version: '6.9' }, previous: null };

it('lists WordPress with its plugins and themes only while it has an update', () => {
  expect(coreRows(site, {})).toMatchObject([{ type: 'core', name: 'WordPress', version: '6.8', new_version: '6.9' }]);
  expect(coreRows({ ...site, wpCore: { ...site.wpCore, hasUpdate: false } }, {})).toEqual([]);
});

it('follows the filters of the list', () => {
  expect(coreRows(site, { q: 'wordp', updates: true })).toHaveLength(1);
  expect(coreRows(site, { q: 'vitrine' })).toEqual([]);
  expect(coreRows(site, { type: 'plugin' })).toEqual([]);
});
