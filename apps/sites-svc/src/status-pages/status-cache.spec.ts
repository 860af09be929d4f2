import { expect, it, vi } from 'vitest';
import type { Status } from './find-status';
import { StatusCache } from './status-cache';

const found = { generated_at: 'now' } as Status;

it('computes a page once in half a minute for all who ask', async () => {
  const cache = new StatusCache();
  const compute = vi.fn<() => Promise<Status>>(() => Promise.resolve(found));
  await Promise.all([cache.read('a', compute, 0), cache.read('a', compute, 0), cache.read('a', compute, 29_999)]);
  expect(compute).toHaveBeenCalledTimes(1);
  await cache.read('a', compute, 30_000);
  await cache.read('b', compute, 30_000);
  expect(compute).toHaveBeenCalledTimes(3);
});

it('does not keep a failure', async () => {
  const cache = new StatusCache();
  await expect(cache.read('a', () => Promise.reject(new Error('no database')), 0)).rejects.toThrow('no database');
  expect(await cache.read('a', () => Promise.resolve(found), 1)).toBe(found);
});
