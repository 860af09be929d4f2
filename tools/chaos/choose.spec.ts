import { expect, it } from 'vitest';
import { choose } from './choose';
import type { Need } from './faults';
import { moments } from './moments';
import { Random } from './random';

const chosen = (lacking: readonly Need[], isLong = true) => choose(new Random(1), { faults: 60, isLong, lacking });
const needsOf = (lacking: readonly Need[]) => new Set(chosen(lacking).flatMap(({ needs }) => needs ?? []));

it('chooses as many faults as are wanted, and none that cannot take place here', () => {
  expect(needsOf([])).toEqual(new Set(['disks', 'clocks']));
  expect(needsOf(['clocks'])).toEqual(new Set(['disks']));
  expect(needsOf(['disks'])).toEqual(new Set(['clocks']));
  expect(needsOf(['clocks', 'disks'])).toEqual(new Set());
  expect([chosen([]), chosen(['clocks', 'disks'])].map(({ length }) => length)).toEqual([60, 60]);
});

it('steps the clock of every service in a long trial, and none in a short one', () => {
  const stepped = chosen([]).flatMap(({ name }) => /^horloge décalée (.*)$/.exec(name)?.[1] ?? []);
  expect(new Set(stepped)).toEqual(new Set(['gateway', 'auth-svc', 'sites-svc', 'dns-svc', 'ssh-agent']));
  expect(chosen([], false).flatMap(({ needs }) => needs ?? [])).toEqual([]);
});

it('has a replica die at each of the moments in a long trial', () => {
  const met = chosen([]).filter((fault) => moments.includes(fault));
  expect(new Set(met).size).toBe(moments.length);
});
