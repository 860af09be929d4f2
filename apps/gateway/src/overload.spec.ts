import { expect, it } from '@jest/globals';
import { Overload } from './overload';

const refusal = expect.objectContaining({ code: 'unavailable', retryAfter: 2 });

const enter = (overload: Overload, count: number, address: string) =>
  Array.from({ length: count }, () => overload.enter(address));

it('gives one address half of what the others leave, and the next one a place once another has left', () => {
  const overload = new Overload();
  enter(overload, 512, '2001:db8:1:2::1');
  expect(() => overload.enter('2001:db8:1:2::2')).toThrow(refusal);
  const [leave] = enter(overload, 256, '203.0.113.7');
  expect(() => overload.enter('203.0.113.7')).toThrow(refusal);
  expect(() => overload.enter('203.0.113.8')()).not.toThrow();
  leave?.();
  expect(() => overload.enter('203.0.113.7')).not.toThrow();
});

it('gives one person half of what the others leave, wherever they come from', () => {
  const overload = new Overload();
  for (let n = 0; n < 256; n += 1) overload.enterAs('a');
  expect(() => overload.enterAs('a')).toThrow(refusal);
  expect(() => overload.enterAs('b')).not.toThrow();
});

/** Keeps the event loop busy, then lets the beat that was due have its turn. */
async function block(ms: number): Promise<void> {
  const since = performance.now();
  while (performance.now() - since < ms);
  await new Promise((resolve) => setTimeout(resolve, 1));
}

it('sheds while the event loop stays late, and recovers by itself', async () => {
  const overload = new Overload();
  const isShedding = () => {
    try {
      overload.enter('203.0.113.7')();
      return false;
    } catch {
      return true;
    }
  };
  await block(600);
  // Once is a moment of something else.
  expect(isShedding()).toBe(false);
  await block(600);
  expect(isShedding()).toBe(true);
  while (isShedding()) await new Promise((resolve) => setTimeout(resolve, 5));
});
