import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bus } from '@vigie/service-kit/bus';
import { Metrics } from '@vigie/service-kit/metrics';
import { HeldJobs } from './held-jobs';

const leaseMs = 30_000;
let held: HeldJobs;
let renew: () => Promise<{ lost: string[]; cancelling: string[] }>;
beforeEach(() => {
  vi.useFakeTimers();
  held = new HeldJobs({ call: (() => renew()) as unknown as Bus['call'] }, 'a');
});
afterEach(() => {
  held.close();
  vi.useRealTimers();
});

/** Like a call whose owner is silent until its deadline. */
const silence = () => new Promise<never>((_, reject) => setTimeout(() => reject(new Error('late')), 5_000));
const good = () => Promise.resolve({ lost: [], cancelling: [] });

describe('a worker whose ledger falls silent', () => {
  it.each([0, 1, 5_000, 9_999])('lets go before its lease runs out, %i ms after it was renewed', async (ms) => {
    renew = good;
    const { signal } = held.hold('x', 1, performance.now());
    await vi.advanceTimersByTimeAsync(10_000);
    renew = silence;
    await vi.advanceTimersByTimeAsync(ms);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(leaseMs - ms - 1_000);
    expect(signal.reason).toBe('lost');
  });

  it('counts from when the lease was asked for', async () => {
    const metrics = await Metrics.of('test');
    renew = silence;
    const { signal } = held.hold('x', 1, performance.now() - 4_900);
    await vi.advanceTimersByTimeAsync(leaseMs - 4_900 - 1_000);
    expect(signal.reason).toBe('lost');
    expect(await metrics.text()).toContain('vigie_leases_lost_total{side="worker",app="test"} 1');
  });
});

it('hands over what is claimed while it stops', () => {
  held.handOver();
  expect(held.hold('x', 1, performance.now()).signal.reason).toBe('handover');
});

it('tells that it is lost although it was cancelled before', () => {
  const { signal, gone } = held.hold('x', 1, performance.now());
  held.cancel(['x']);
  expect([signal.reason, gone.aborted]).toEqual(['cancelled', false]);
  held.handOver();
  expect([signal.reason, gone.reason]).toEqual(['cancelled', 'handover']);
});
