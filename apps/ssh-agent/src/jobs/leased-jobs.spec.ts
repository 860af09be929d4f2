import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bus } from '@vigie/service-kit/bus';
import { Metrics } from '@vigie/service-kit/metrics';
import { LeasedJobs } from './leased-jobs';

const leaseMs = 30_000;
let leases: LeasedJobs;
let renew: (held: { id: string }[]) => Promise<{ lost: string[]; cancelling: string[] }>;
beforeEach(() => {
  vi.useFakeTimers();
  leases = new LeasedJobs(
    {
      call: ((_: unknown, { held }: { held: { id: string }[] }) => renew(held)) as unknown as Bus['call'],
    },
    'a',
  );
});
afterEach(() => {
  leases.close();
  vi.useRealTimers();
});

/** A call that fails at its deadline without an answer. */
const silence = () => new Promise<never>((_, reject) => setTimeout(() => reject(new Error('late')), 5_000));
const good = () => Promise.resolve({ lost: [], cancelling: [] });

describe('a worker whose ledger does not answer', () => {
  it.each([0, 1, 5_000, 9_999])('stops its jobs before their leases expire, %i ms after a renewal', async (ms) => {
    renew = good;
    const { signal } = leases.add('x', 1, performance.now());
    await vi.advanceTimersByTimeAsync(10_000);
    renew = silence;
    await vi.advanceTimersByTimeAsync(ms);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(leaseMs - ms - 1_000);
    expect(signal.reason).toBe('lost');
  });

  it('counts from when the lease was requested', async () => {
    const metrics = await Metrics.create('test');
    renew = silence;
    const { signal } = leases.add('x', 1, performance.now() - 4_900);
    await vi.advanceTimersByTimeAsync(leaseMs - 4_900 - 1_000);
    expect(signal.reason).toBe('lost');
    expect(await metrics.text()).toContain('vigie_leases_lost_total{side="worker",app="test"} 1');
  });
});

it('hands over a job that is claimed while it stops', () => {
  leases.handOver();
  expect(leases.add('x', 1, performance.now()).signal.reason).toBe('handover');
});

it('ends the lease of a job that was cancelled before', () => {
  const { signal, leaseSignal } = leases.add('x', 1, performance.now());
  leases.cancel(['x']);
  expect([signal.reason, leaseSignal.aborted]).toEqual(['cancelled', false]);
  leases.handOver();
  expect([signal.reason, leaseSignal.reason]).toEqual(['cancelled', 'handover']);
});

it('renews more jobs than one call carries', async () => {
  const counts: number[] = [];
  renew = async (held) => {
    counts.push(held.length);
    return { lost: held.length < 500 ? held.map(({ id }) => id) : [], cancelling: [] };
  };
  const signals = Array.from({ length: 501 }, (_, at) => leases.add(`job ${at}`, 1, performance.now()).signal);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([counts, signals.map(({ aborted }) => aborted).lastIndexOf(false), signals[500]?.reason]).toEqual([
    [500, 1],
    499,
    'lost',
  ]);
});
