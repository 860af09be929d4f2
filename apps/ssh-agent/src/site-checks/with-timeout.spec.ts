import { getEventListeners, once } from 'node:events';
import { expect, it } from 'vitest';
import { withTimeout } from './with-timeout';

const untilStopped = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort');
  return 'stopped';
};

it('stops work that takes too long, and all of it when everything is over', async () => {
  const over = new AbortController();
  expect(await withTimeout({ shutdown: over.signal, ms: 10 }, untilStopped)).toBe('stopped');
  const work = withTimeout({ shutdown: over.signal, ms: 60_000 }, untilStopped);
  over.abort();
  expect(await work).toBe('stopped');
  expect(await withTimeout({ shutdown: over.signal, ms: 60_000 }, untilStopped)).toBe('stopped');
});

it('leaves nothing with a signal that outlives it', async () => {
  const { signal: over } = new AbortController();
  const listening = () => getEventListeners(over, 'abort').length;
  // A composed signal is kept in a set of its own.
  const kept = () => Object.getOwnPropertySymbols(over).map(String);
  const before = kept();
  expect(await withTimeout({ shutdown: over, ms: 60_000 }, () => Promise.resolve(listening()))).toBe(1);
  await expect(withTimeout({ shutdown: over, ms: 60_000 }, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(listening()).toBe(0);
  expect(kept()).toEqual(before);
});
