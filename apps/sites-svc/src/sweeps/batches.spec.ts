import { expect, it } from 'vitest';
import { toBatches } from './batches';

const due = (...connections: string[]) =>
  connections.map((connection, at) => ({ id: `${connection}${at}`, connection }));

it('keeps targets of one connection together, with no more connections in a batch than an answer can carry', () => {
  expect(toBatches(due('b', 'a', 'b', 'c'), { maxTargets: 10, maxConnections: 2 })).toEqual([
    ['a1', 'b0', 'b2'],
    ['c3'],
  ]);
  expect(toBatches(due('a', 'a', 'a'), { maxTargets: 2, maxConnections: 1 })).toEqual([['a0', 'a1'], ['a2']]);
  expect(toBatches([], { maxTargets: 2, maxConnections: 1 })).toEqual([]);
});
