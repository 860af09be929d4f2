import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Bus } from '@vigie/service-kit/bus';
import { DispatchSchedule } from './dispatch-schedule';

let schedule: DispatchSchedule;
let dispatches: number;
let events: number;
/** Ends the dispatch that is under way. */
let endDispatch: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  dispatches = 0;
  events = 0;
  // What a replica publishes comes back to it.
  let hear = () => undefined as void;
  const bus = {
    publish: () => {
      events += 1;
      setTimeout(hear, 1);
    },
    subscribe: (_: unknown, listen: () => void) => (hear = listen),
  } as unknown as Bus;
  schedule = new DispatchSchedule(bus);
  schedule.start(() => {
    dispatches += 1;
    return new Promise((resolve) => (endDispatch = resolve));
  });
});
afterEach(() => {
  schedule.stop();
  vi.useRealTimers();
});

it('dispatches once, and at once, for an announcement', async () => {
  schedule.announce();
  await vi.advanceTimersByTimeAsync(10);
  endDispatch();
  await vi.advanceTimersByTimeAsync(500);
  expect(dispatches).toBe(1);
});

it('dispatches once for many announcements', async () => {
  schedule.announce();
  await vi.advanceTimersByTimeAsync(10);
  endDispatch();
  for (let at = 0; at < 20; at += 1) {
    schedule.announce();
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(30);
  expect(dispatches).toBe(2);
});

it('tells the other replicas at once, then once for all that is announced until the next event', async () => {
  schedule.announce();
  expect(events).toBe(1);
  for (let at = 0; at < 20; at += 1) schedule.announce();
  expect(events).toBe(1);
  await vi.advanceTimersByTimeAsync(30);
  expect(events).toBe(2);
  await vi.advanceTimersByTimeAsync(30);
  schedule.announce();
  expect(events).toBe(3);
  schedule.announce();
  schedule.stop();
  await vi.advanceTimersByTimeAsync(30);
  expect(events).toBe(3);
});

it('tells the other replicas without a timer after its end, when the bus may be closed soon', () => {
  schedule.announce();
  schedule.stop();
  schedule.announce();
  expect(events).toBe(2);
});

it('dispatches again for an announcement that comes during a dispatch', async () => {
  schedule.announce();
  await vi.advanceTimersByTimeAsync(10);
  schedule.announce();
  await vi.advanceTimersByTimeAsync(100);
  expect(dispatches).toBe(1);
  endDispatch();
  await vi.advanceTimersByTimeAsync(40);
  expect(dispatches).toBe(2);
});

it('dispatches each second without any announcement, and never after its end', async () => {
  await vi.advanceTimersByTimeAsync(1_000);
  endDispatch();
  expect(dispatches).toBe(1);
  schedule.stop();
  schedule.announce();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(dispatches).toBe(1);
});

it('dispatches when the wait of a job is over, and not after its end', async () => {
  schedule.dispatchAfter(1_500);
  schedule.dispatchAfter(1_700);
  await vi.advanceTimersByTimeAsync(1_400);
  endDispatch();
  expect(dispatches).toBe(1);
  await vi.advanceTimersByTimeAsync(150);
  endDispatch();
  expect(dispatches).toBe(2);
  schedule.stop();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(dispatches).toBe(2);
});
