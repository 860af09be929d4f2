import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Later } from '../jobs/job-handler';
import { goingOn } from './transfers';

const { signal } = new AbortController();

it('goes on as long as each try brings some of it', async () => {
  let have = 0;
  const piece = async () => {
    have += have < 3 ? 1 : 0;
    throw new Later(0, 'coupé', true);
  };
  await expect(goingOn(piece, { at: () => have, signal })).rejects.toThrow('coupé');
  expect(have).toBe(3);
});

/** A host that sends so much every ten milliseconds, and cuts now and then. */
const dripping = (bytes: number) => {
  let have = 0;
  const piece = async (within: AbortSignal) => {
    for (let packets = 0; packets < 20; packets += 1) {
      await wait(10, undefined, { signal: within });
      have += bytes;
      if (have > 60 * bytes) return 'whole';
    }
    throw new Later(0, 'coupé', true);
  };
  return goingOn(piece, { at: () => have, signal, ms: 150 });
};

it('is not waited for where it comes too slowly, however often it goes on', async () => {
  await expect(dripping(1)).rejects.toThrow('moins de 1\u00a0Mo');
  await expect(dripping(2_000_000)).resolves.toBe('whole');
});

it('ends with whoever asked', async () => {
  const stop = new AbortController();
  const cut = goingOn((within) => wait(60_000, undefined, { signal: within }), { at: () => 0, signal: stop.signal });
  stop.abort();
  await expect(cut).rejects.toThrow('aborted');
});
