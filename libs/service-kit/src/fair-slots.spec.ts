import { expect, it } from 'vitest';
import { FairSlots } from './fair-slots';

const acquireAll = (slots: FairSlots, person: string) => {
  let release = slots.acquire(person);
  const releases = [];
  for (; release; release = slots.acquire(person)) releases.push(release);
  return releases;
};

it('leaves a slot for the next person, however many the others take', () => {
  const slots = new FairSlots(64);
  expect(['a', 'b', 'c', 'd', 'e'].map((person) => acquireAll(slots, person).length)).toEqual([32, 16, 8, 4, 2]);
  expect(slots.acquire('f')).toBeDefined();
});

it('frees the slots that are released', () => {
  const slots = new FairSlots(8);
  for (const release of acquireAll(slots, 'a')) release();
  expect(acquireAll(slots, 'b')).toHaveLength(4);
  expect(acquireAll(slots, 'a')).toHaveLength(2);
});
