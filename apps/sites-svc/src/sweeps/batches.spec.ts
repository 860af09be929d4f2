import { expect, it } from 'vitest';
import { inBatches } from './batches';

const due = (...ways: string[]) => ways.map((way, at) => ({ id: `${way}${at}`, way }));

it('keeps together what shares a way, and no more ways in a batch than an answer can carry', () => {
  expect(inBatches(due('b', 'a', 'b', 'c'), { most: 10, mostWays: 2 })).toEqual([['a1', 'b0', 'b2'], ['c3']]);
  expect(inBatches(due('a', 'a', 'a'), { most: 2, mostWays: 1 })).toEqual([['a0', 'a1'], ['a2']]);
  expect(inBatches([], { most: 2, mostWays: 1 })).toEqual([]);
});
