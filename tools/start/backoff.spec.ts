import { expect, it } from 'vitest';
import { nextDelay } from './backoff';

it('doubles the wait after each early death, up to five seconds', () => {
  const delays: number[] = [];
  for (let delay: number | undefined; delays.length < 7; ) delays.push((delay = nextDelay(delay, 100)));
  expect(delays).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
});

it('forgets earlier deaths after thirty seconds of life', () => {
  expect(nextDelay(5_000, 30_000)).toBe(250);
});
