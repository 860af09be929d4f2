import { expect, it } from 'vitest';
import { FairSlots } from './fair-slots';

const takeAll = (turns: FairSlots, person: string) => {
  let leave = turns.take(person);
  const leaves = [];
  for (; leave; leave = turns.take(person)) leaves.push(leave);
  return leaves;
};

it('leaves a slot for the next person, however many the others take', () => {
  const turns = new FairSlots(64);
  expect(['a', 'b', 'c', 'd', 'e'].map((person) => takeAll(turns, person).length)).toEqual([32, 16, 8, 4, 2]);
  expect(turns.take('f')).toBeDefined();
});

it('frees the slots that are released', () => {
  const turns = new FairSlots(8);
  for (const leave of takeAll(turns, 'a')) leave();
  expect(takeAll(turns, 'b')).toHaveLength(4);
  expect(takeAll(turns, 'a')).toHaveLength(2);
});
