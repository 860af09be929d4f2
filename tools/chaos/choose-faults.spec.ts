import { expect, it } from 'vitest';
import { chooseFaults } from './choose-faults';
import type { Need } from './faults';
import { moments } from './moments';
import { Random } from './random';

const chosen = (missingNeeds: readonly Need[], isLong = true) =>
  chooseFaults(new Random(1), { faults: 60, isLong, missingNeeds });
const needsOf = (missingNeeds: readonly Need[]) => new Set(chosen(missingNeeds).flatMap(({ needs }) => needs ?? []));

it('chooses the requested number of faults, and none that this machine does not support', () => {
  expect(needsOf([])).toEqual(new Set(['disks', 'clocks']));
  expect(needsOf(['clocks'])).toEqual(new Set(['disks']));
  expect(needsOf(['disks'])).toEqual(new Set(['clocks']));
  expect(needsOf(['clocks', 'disks'])).toEqual(new Set());
  expect([chosen([]), chosen(['clocks', 'disks'])].map(({ length }) => length)).toEqual([60, 60]);
});

it('changes the clock of every service in a long trial, and of none in a short one', () => {
  const changedClocks = chosen([]).flatMap(({ name }) => /^horloge décalée (.*)$/.exec(name)?.[1] ?? []);
  expect(new Set(changedClocks)).toEqual(new Set(['gateway', 'auth-svc', 'sites-svc', 'dns-svc', 'ssh-agent']));
  expect(chosen([], false).flatMap(({ needs }) => needs ?? [])).toEqual([]);
});

it('kills a replica at each of the moments in a long trial', () => {
  const reached = chosen([]).filter((fault) => moments.includes(fault));
  expect(new Set(reached).size).toBe(moments.length);
});
