import { expect, it } from 'vitest';
import { changedTables } from './tables';

const before = new Map([
  ['sites.sites', { count: 3, sum: '70' }],
  ['sites.groups', { count: 2, sum: '-8' }],
]);
const after = (name: string, count: number, sum: string) =>
  changedTables(before, new Map(before).set(name, { count, sum }));

it('finds added, removed and changed rows only', () => {
  expect(changedTables(before, new Map(before))).toEqual([]);
  expect(after('sites.sites', 2, '70')).toEqual(['sites.sites 3 → 2']);
  expect(after('sites.jobs', 1, '5')).toEqual(['sites.jobs undefined → 1']);
  expect(after('sites.groups', 2, '-9')).toEqual(['sites.groups, sur place']);
});
