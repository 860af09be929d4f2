import { beforeAll, expect, it, vi } from 'vitest';
import { Probes } from './probes';

const probes = new Probes();
let port: number | undefined;
beforeAll(async () => {
  port = await probes.open(0);
});

const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status);

it('is live before it is ready, and ready until it stops', async () => {
  expect([await ask('/live'), await ask('/ready')]).toEqual([200, 503]);
  probes.serve(async () => undefined);
  expect(await ask('/ready')).toBe(200);
  probes.stop();
  expect([await ask('/live'), await ask('/ready')]).toEqual([200, 503]);
});

it.each([
  ['is away', () => Promise.reject(new Error('away'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('is live but not ready while the bus %s', async (_, reach) => {
  probes.serve(reach);
  expect([await ask('/live'), await ask('/ready')]).toEqual([200, 503]);
});

it('pings the bus at most once a second', async () => {
  let pings = 0;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(5_000);
  probes.serve(async () => (pings += 1));
  expect(await Promise.all(Array.from({ length: 20 }, () => ask('/ready')))).toEqual(Array(20).fill(200));
  expect(pings).toBe(1);
  clock.mockReturnValue(6_001);
  expect([await ask('/ready'), pings]).toEqual([200, 2]);
  clock.mockRestore();
});

it('answers no other path', async () => {
  expect(await ask('/metrics')).toBe(404);
});

it('opens nothing without a port', async () => {
  expect(await new Probes().open(undefined)).toBeUndefined();
});
