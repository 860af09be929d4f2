import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Redis } from 'ioredis';
import { Counters } from './counters';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('forgets expired counts before a limit that still holds, even an older one', async () => {
  // Redis never connects, so only the local counts apply.
  const counters = new Counters(new Redis({ lazyConnect: true }), 'test');
  await counters.add('held', 3_600, 9);
  for (let n = 0; n < 30_000; n += 1) await counters.add(`over ${n}`, 1);
  vi.advanceTimersByTime(2_000);
  for (let n = 0; n < 30_000; n += 1) await counters.add(`new ${n}`, 60);
  expect(await counters.read('held')).toMatchObject({ count: 9 });
  for (let n = 0; n < 30_000; n += 1) await counters.add(`newer ${n}`, 60);
  // Memory is bounded: when no count has expired, the oldest one is dropped.
  expect(await counters.read('held')).toMatchObject({ count: 0 });
  await counters.close();
});
