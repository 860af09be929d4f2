import { expect, it } from '@jest/globals';
import { Overload } from './overload';

const refusal = expect.objectContaining({ code: 'unavailable', retryAfter: 2 });

it('sheds what comes on top of 512 requests, and takes the next once one has left', () => {
  const overload = new Overload();
  for (let n = 0; n < 512; n += 1) overload.enter();
  expect(() => overload.enter()).toThrow(refusal);
  overload.leave();
  expect(() => overload.enter()).not.toThrow();
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
      overload.enter();
      overload.leave();
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
