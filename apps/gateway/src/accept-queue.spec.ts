import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AcceptQueue } from './accept-queue';

let now = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A turn of the event loop, which accepts a connection or none. */
function turn(queue: AcceptQueue, isAccepted: boolean): void {
  now += 10;
  if (isAccepted) queue.noteAccepted();
  vi.runOnlyPendingTimers();
}

it('counts from the first connection after a turn without one', () => {
  const queue = new AcceptQueue();
  expect(queue.waitingMs).toBe(0);
  for (let n = 0; n < 50; n += 1) turn(queue, true);
  expect(queue.waitingMs).toBe(490);
  turn(queue, false);
  expect(queue.waitingMs).toBe(0);
  for (let n = 0; n < 40; n += 1) turn(queue, true);
  expect(queue.waitingMs).toBe(390);
});

it('ignores a few connections at once, however long a turn is', () => {
  const queue = new AcceptQueue();
  for (let n = 0; n < 10; n += 1) turn(queue, true);
  now += 60_000;
  expect(queue.waitingMs).toBe(0);
  turn(queue, false);
  turn(queue, false);
  expect(vi.getTimerCount()).toBe(0);
});
