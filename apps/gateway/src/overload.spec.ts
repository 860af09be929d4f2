import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Overload } from './overload';

const refusal = expect.objectContaining({ code: 'unavailable', retryAfter: 2 });

const enter = (overload: Overload, count: number, address: string) =>
  Array.from({ length: count }, () => overload.enter(address));

it('gives one address half of what the others leave, and the next one a place once another has left', () => {
  const overload = new Overload();
  enter(overload, 512, '2001:db8:1:2::1');
  expect(() => overload.enter('2001:db8:1:2::2')).toThrow(refusal);
  const [leave] = enter(overload, 256, '203.0.113.7');
  expect(() => overload.enter('203.0.113.7')).toThrow(refusal);
  expect(() => overload.enter('203.0.113.8')()).not.toThrow();
  leave?.();
  expect(() => overload.enter('203.0.113.7')).not.toThrow();
});

it('gives one person half of what the others leave, wherever they come from', () => {
  const overload = new Overload();
  for (let n = 0; n < 256; n += 1) overload.enterAs('a');
  expect(() => overload.enterAs('a')).toThrow(refusal);
  expect(() => overload.enterAs('b')).not.toThrow();
});

function isShedding(overload: Overload, socket?: object): boolean {
  try {
    overload.enter('203.0.113.7', socket)();
    return false;
  } catch {
    return true;
  }
}

/** Connections that are let in one after the other for so long; the last one is given back. */
async function queueFor(ms: number, overload: Overload): Promise<object> {
  const until = performance.now() + ms;
  for (let count = 1; ; count += 1) {
    const socket = {};
    overload.meet(socket);
    if (performance.now() > until && count > 50) return socket;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const turns = async () => {
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

it('sheds once whoever comes behind a long queue, and nobody who is in', async () => {
  const overload = new Overload();
  const first = {};
  overload.meet(first);
  const last = await queueFor(600, overload);
  expect([isShedding(overload, first), isShedding(overload)]).toEqual([false, false]);
  expect([isShedding(overload, last), isShedding(overload, last)]).toEqual([true, false]);
  await turns();
  const next = {};
  overload.meet(next);
  expect(isShedding(overload, next)).toBe(false);
});

it('sheds nobody for a queue that is gone, whenever they ask', async () => {
  const overload = new Overload();
  const last = await queueFor(600, overload);
  await turns();
  expect(isShedding(overload, last)).toBe(false);
});

describe('an event loop', () => {
  let [now, workMs] = [0, 0];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: workMs * 1_000, system: 0 }));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** The next beat comes after that long, of which this process had so much of a processor. */
  const beat = (ms: number, share: number) => {
    now += ms;
    workMs += ms * share;
    vi.advanceTimersByTime(50);
  };

  it('that stays late sheds, and recovers by itself', () => {
    const overload = new Overload();
    beat(600, 0.9);
    // Once is a moment of something else.
    expect(isShedding(overload)).toBe(false);
    beat(600, 0.9);
    expect(isShedding(overload)).toBe(true);
    beat(60, 0.9);
    expect(isShedding(overload)).toBe(false);
  });

  it('sheds nothing because others keep it from working', () => {
    const overload = new Overload();
    for (let n = 0; n < 3; n += 1) {
      beat(600, 0.1);
      expect(isShedding(overload)).toBe(false);
    }
  });
});
