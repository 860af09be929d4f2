import { getEventListeners, once } from 'node:events';
import { expect, it } from 'vitest';
import { withTimeout } from './with-timeout';

const untilStopped = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort');
  return 'stopped';
};

it('stops work that takes too long, and all work at shutdown', async () => {
  const shutdown = new AbortController();
  expect(await withTimeout({ shutdown: shutdown.signal, ms: 10 }, untilStopped)).toBe('stopped');
  const work = withTimeout({ shutdown: shutdown.signal, ms: 60_000 }, untilStopped);
  shutdown.abort();
  expect(await work).toBe('stopped');
  expect(await withTimeout({ shutdown: shutdown.signal, ms: 60_000 }, untilStopped)).toBe('stopped');
});

it('leaves no listener on a signal that outlives it', async () => {
  const { signal: shutdown } = new AbortController();
  const listening = () => getEventListeners(shutdown, 'abort').length;
  // A composed signal is kept in a set of its own.
  const kept = () => Object.getOwnPropertySymbols(shutdown).map(String);
  const before = kept();
  expect(await withTimeout({ shutdown, ms: 60_000 }, () => Promise.resolve(listening()))).toBe(1);
  await expect(withTimeout({ shutdown, ms: 60_000 }, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(listening()).toBe(0);
  expect(kept()).toEqual(before);
});
