import { Redis } from 'ioredis';
import { testServers } from './servers';

/** Connects to the test run's Redis in a database reserved for a suite, and returns its address. */
export function testRedis(database: number): { redis: Redis; host: string; port: number; password: string } {
  const { redisUrl } = testServers();
  const { hostname: host, port, password } = new URL(redisUrl);
  const redis = new Redis(redisUrl, { db: database });
  return { redis, host, port: Number(port || 6_379), password: decodeURIComponent(password) };
}
