import { expect, it } from 'vitest';
import { MemoryBudget } from './memory-budget';

function reservationsIn(limit: number) {
  const budget = new MemoryBudget(limit);
  const discarded: string[] = [];
  const users = new Map(['a', 'b', 'c'].map((name) => [name, { discard: () => discarded.push(name) }]));
  const reserve = (name: string, size: number) => {
    const user = users.get(name);
    if (user) budget.reserve(user, size);
    return discarded.join('');
  };
  return reserve;
}

it('discards the largest user when it is full', () => {
  const reserve = reservationsIn(10);
  expect(reserve('a', 6)).toBe('');
  expect(reserve('b', 4)).toBe('');
  expect(reserve('c', 1)).toBe('a');
  expect(reserve('b', 9)).toBe('a');
  expect(reserve('c', 2)).toBe('ab');
  expect(reserve('c', 11)).toBe('abc');
  expect(reserve('a', 10)).toBe('abc');
});

it('reuses released memory', () => {
  const reserve = reservationsIn(10);
  reserve('a', 10);
  reserve('a', 0);
  reserve('b', 8);
  reserve('b', 5);
  expect(reserve('c', 5)).toBe('');
});
