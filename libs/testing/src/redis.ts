import { Redis } from 'ioredis';
import { testServers } from './servers';

/** The Redis of a run, in a database of it that a suite has to itself; where it is, as others are told. */
export function testRedis(database: number): { redis: Redis; host: string; port: number; password: string } {
  const { redisUrl } = testServers();
  const { hostname: host, port, password } = new URL(redisUrl);
  const redis = new Redis(redisUrl, { db: database });
  return { redis, host, port: Number(port || 6_379), password: decodeURIComponent(password) };
}
