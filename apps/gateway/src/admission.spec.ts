import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Admission } from './admission';

const refusal = expect.objectContaining({ code: 'unavailable', retryAfter: 2 });

const admitMany = (admission: Admission, count: number, address: string) =>
  Array.from({ length: count }, () => admission.admit(address));

it('gives one address half of the free slots, and a slot again once one is released', () => {
  const admission = new Admission();
  admitMany(admission, 512, '2001:db8:1:2::1');
  expect(() => admission.admit('2001:db8:1:2::2')).toThrow(refusal);
  const [release] = admitMany(admission, 256, '203.0.113.7');
  expect(() => admission.admit('203.0.113.7')).toThrow(refusal);
  expect(() => admission.admit('203.0.113.8')()).not.toThrow();
  release?.();
  expect(() => admission.admit('203.0.113.7')).not.toThrow();
});

it('gives one user half of the free slots, from any address', () => {
  const admission = new Admission();
  for (let n = 0; n < 256; n += 1) admission.admitUser('a');
  expect(() => admission.admitUser('a')).toThrow(refusal);
  expect(() => admission.admitUser('b')).not.toThrow();
});

function isRefused(admission: Admission, socket?: object): boolean {
  try {
    admission.admit('203.0.113.7', socket)();
    return false;
  } catch {
    return true;
  }
}

/** Accepts connections one after another for that long, and returns the last one. */
async function queueFor(ms: number, admission: Admission): Promise<object> {
  const until = performance.now() + ms;
  for (let count = 1; ; count += 1) {
    const socket = {};
    admission.noteConnection(socket);
    if (performance.now() > until && count > 50) return socket;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const turns = async () => {
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

it('refuses a connection behind a long queue once, and none that was accepted before', async () => {
  const admission = new Admission();
  const first = {};
  admission.noteConnection(first);
  const last = await queueFor(600, admission);
  expect([isRefused(admission, first), isRefused(admission)]).toEqual([false, false]);
  expect([isRefused(admission, last), isRefused(admission, last)]).toEqual([true, false]);
  await turns();
  const next = {};
  admission.noteConnection(next);
  expect(isRefused(admission, next)).toBe(false);
});

it('refuses no connection for a queue that is gone', async () => {
  const admission = new Admission();
  const last = await queueFor(600, admission);
  await turns();
  expect(isRefused(admission, last)).toBe(false);
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

  /** Advances to the next beat, in which this process used that share of a processor. */
  const beat = (ms: number, share: number) => {
    now += ms;
    workMs += ms * share;
    vi.advanceTimersByTime(50);
  };

  it('that stays late refuses requests, and recovers by itself', () => {
    const admission = new Admission();
    beat(600, 0.9);
    // A single late beat does not count.
    expect(isRefused(admission)).toBe(false);
    beat(600, 0.9);
    expect(isRefused(admission)).toBe(true);
    beat(60, 0.9);
    expect(isRefused(admission)).toBe(false);
  });

  it('refuses nothing when other processes starve it', () => {
    const admission = new Admission();
    for (let n = 0; n < 3; n += 1) {
      beat(600, 0.1);
      expect(isRefused(admission)).toBe(false);
    }
  });
});
