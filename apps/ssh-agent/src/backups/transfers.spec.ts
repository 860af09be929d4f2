import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { RetryLater } from '../jobs/job-handler';
import { keepTransferring } from './transfers';

const { signal } = new AbortController();

it('retries as long as every try advances', async () => {
  let have = 0;
  const piece = async () => {
    have += have < 3 ? 1 : 0;
    throw new RetryLater(0, 'coupé', true);
  };
  await expect(keepTransferring(piece, { confirmedBytes: () => have, signal })).rejects.toThrow('coupé');
  expect(have).toBe(3);
});

/** A host that sends this many bytes every ten milliseconds, and cuts the connection now and then. */
const dripping = (bytes: number) => {
  let have = 0;
  const piece = async (within: AbortSignal) => {
    for (let packets = 0; packets < 20; packets += 1) {
      await wait(10, undefined, { signal: within });
      have += bytes;
      if (have > 60 * bytes) return 'whole';
    }
    throw new RetryLater(0, 'coupé', true);
  };
  return keepTransferring(piece, { confirmedBytes: () => have, signal, ms: 150 });
};

it('gives up a transfer that is too slow, however often it is resumed', async () => {
  await expect(dripping(1)).rejects.toThrow('moins de 1\u00a0Mo');
  await expect(dripping(2_000_000)).resolves.toBe('whole');
});

it('ends when its job is stopped', async () => {
  const stop = new AbortController();
  const cut = keepTransferring((within) => wait(60_000, undefined, { signal: within }), {
    confirmedBytes: () => 0,
    signal: stop.signal,
  });
  stop.abort();
  await expect(cut).rejects.toThrow('aborted');
});
