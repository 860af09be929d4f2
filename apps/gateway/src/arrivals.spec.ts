import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Arrivals } from './arrivals';

let now = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A turn of the loop, in which somebody comes or nobody does. */
function turn(arrivals: Arrivals, comes: boolean): void {
  now += 10;
  if (comes) arrivals.come();
  vi.runOnlyPendingTimers();
}

it('counts from the first who came since a turn in which nobody did', () => {
  const arrivals = new Arrivals();
  expect(arrivals.waitingMs).toBe(0);
  for (let n = 0; n < 50; n += 1) turn(arrivals, true);
  expect(arrivals.waitingMs).toBe(490);
  turn(arrivals, false);
  expect(arrivals.waitingMs).toBe(0);
  for (let n = 0; n < 40; n += 1) turn(arrivals, true);
  expect(arrivals.waitingMs).toBe(390);
});

it('takes a few who came at once for nobody, however long a turn is', () => {
  const arrivals = new Arrivals();
  for (let n = 0; n < 10; n += 1) turn(arrivals, true);
  now += 60_000;
  expect(arrivals.waitingMs).toBe(0);
  turn(arrivals, false);
  turn(arrivals, false);
  expect(vi.getTimerCount()).toBe(0);
});
