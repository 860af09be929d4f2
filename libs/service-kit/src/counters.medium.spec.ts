import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { testServers } from '@vigie/testing/servers';
import { Counters } from './counters';

const opened: Redis[] = [];
const open = async () => {
  const redis = new Redis(testServers().redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
  opened.push(redis);
  await new Promise((resolve) => redis.once('ready', resolve));
  return redis;
};
let instance: string;
beforeEach(() => {
  instance = randomBytes(8).toString('hex');
});
afterAll(() => opened.filter(({ status }) => status !== 'end').forEach((redis) => redis.disconnect()));

it('counts over all replicas, in a window that ends', async () => {
  const [one, two] = [new Counters(await open(), instance), new Counters(await open(), instance)];
  await one.add('k', 60);
  const { count, secondsLeft } = await two.add('k', 60);
  expect([count, secondsLeft <= 60 && secondsLeft > 0]).toEqual([2, true]);
  expect((await one.read('k')).count).toBe(2);
  expect((await one.read('other')).count).toBe(0);
});

it('keeps counting locally while Redis is away', async () => {
  const redis = await open();
  const counters = new Counters(redis, instance);
  await counters.add('k', 60);
  redis.disconnect();
  await counters.add('k', 60);
  expect((await counters.read('k')).count).toBe(2);
});

it('does not forget its own count when Redis is flushed', async () => {
  const redis = await open();
  const counters = new Counters(redis, instance);
  await counters.add('k', 60);
  await counters.add('k', 60);
  await redis.del(`vigie:${instance}:count:k`);
  expect((await counters.read('k')).count).toBe(2);
});
