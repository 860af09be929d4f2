import { expect, it } from 'vitest';
import { Semaphore, KeyedSemaphores } from './semaphore';

const neverAborted = new AbortController().signal;

it('admits a limited number at once and the others in order', async () => {
  const semaphore = new Semaphore(2);
  const order: string[] = [];
  const acquire = async (name: string) => {
    const release = await semaphore.acquire(neverAborted);
    order.push(name);
    return release;
  };
  const [a, b] = [await acquire('a'), await acquire('b')];
  const [c, d] = [acquire('c'), acquire('d')];
  expect(order).toEqual(['a', 'b']);
  b();
  b();
  await c;
  expect(order).toEqual(['a', 'b', 'c']);
  a();
  await d;
  expect(order).toEqual(['a', 'b', 'c', 'd']);
});

it('drops a waiter that aborts', async () => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire(neverAborted);
  const stop = new AbortController();
  const impatient = semaphore.acquire(stop.signal);
  const patient = semaphore.acquire(neverAborted);
  stop.abort(new Error('enough'));
  await expect(impatient).rejects.toThrow('enough');
  release();
  await expect(patient).resolves.toBeDefined();
  await expect(semaphore.acquire(stop.signal)).rejects.toThrow('enough');
});

it('keeps one semaphore per name while it is in use', async () => {
  const semaphores = new KeyedSemaphores(1);
  const [a, b] = [await semaphores.acquire('a', neverAborted), await semaphores.acquire('b', neverAborted)];
  const stop = new AbortController();
  const impatient = semaphores.acquire('a', stop.signal);
  const patient = semaphores.acquire('a', neverAborted);
  stop.abort(new Error('enough'));
  await expect(impatient).rejects.toThrow('enough');
  a();
  a();
  const next = await patient;
  b();
  expect(semaphores.size).toBe(1);
  next();
  expect(semaphores.size).toBe(0);
});
