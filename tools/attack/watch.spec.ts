import { expect, it } from '@jest/globals';
import { changedTables } from './tables';
import { growthOf } from './watch';

const samples = (sizeAt: (n: number) => number) =>
  Array.from({ length: 100 }, (_, n) => ({ at: n * 1_000, megabytes: sizeAt(n) }));

it('calls memory flat that goes up and down, and one that warms up', () => {
  expect(growthOf(samples((n) => 150 + (n % 10) * 20)).isFlat).toBe(true);
  expect(growthOf(samples((n) => Math.min(200, 80 + n * 6))).isFlat).toBe(true);
});

it('sees a leak below all that goes up and down, and says how fast it is', () => {
  const leak = growthOf(samples((n) => 150 + n * 3 + (n % 10) * 20));
  expect([leak.isFlat, Math.round(leak.perTenThousand)]).toEqual([false, expect.any(Number)]);
  expect(leak.perTenThousand).toBeGreaterThan(15);
});

it('sees a row too many, a row too few and nothing else', () => {
  const before = new Map([
    ['sites.sites', 3],
    ['sites.groups', 2],
  ]);
  expect(changedTables(before, new Map(before))).toEqual([]);
  expect(changedTables(before, new Map(before).set('sites.sites', 2))).toEqual(['sites.sites 3 → 2']);
  expect(changedTables(before, new Map(before).set('sites.jobs', 1))).toEqual(['sites.jobs undefined → 1']);
});
