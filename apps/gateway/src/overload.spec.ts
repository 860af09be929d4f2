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

it('sheds while the event loop is late, and recovers by itself', async () => {
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
  const seen: boolean[] = [];
  const blockedSince = performance.now();
  while (performance.now() - blockedSince < 600);
  // The beats after the blockage see it first, then that it is over.
  while (!seen.includes(true) || seen.at(-1)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.push(isShedding());
  }
  expect(seen.at(-1)).toBe(false);
});
