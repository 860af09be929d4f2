import { expect, it } from 'vitest';
import { Room } from './room';

function roomOf(limit: number) {
  const room = new Room(limit);
  const gone: string[] = [];
  const holders = new Map(['a', 'b', 'c'].map((name) => [name, { giveWay: () => gone.push(name) }]));
  const hold = (name: string, size: number) => {
    const holder = holders.get(name);
    if (holder) room.hold(holder, size);
    return gone.join('');
  };
  return hold;
}

it('is taken from whoever keeps most', () => {
  const hold = roomOf(10);
  expect(hold('a', 6)).toBe('');
  expect(hold('b', 4)).toBe('');
  expect(hold('c', 1)).toBe('a');
  expect(hold('b', 9)).toBe('a');
  expect(hold('c', 2)).toBe('ab');
  expect(hold('c', 11)).toBe('abc');
  expect(hold('a', 10)).toBe('abc');
});

it('is free again for what was given back', () => {
  const hold = roomOf(10);
  hold('a', 10);
  hold('a', 0);
  hold('b', 8);
  hold('b', 5);
  expect(hold('c', 5)).toBe('');
});
