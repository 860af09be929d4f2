import { Redis } from 'ioredis';
import type { KeyFile } from './keys';
import type { Log } from './log';

/** Bounds the memory of the local counts when an attack uses many keys. */
const maxLocalKeys = 50_000;

const addInWindow = `
local n = redis.call('INCRBY', KEYS[1], ARGV[1])
if n == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return {n, redis.call('TTL', KEYS[1])}`;

const decrement = `
local n = tonumber(redis.call('GET', KEYS[1]) or '0')
if n > 0 then redis.call('DECR', KEYS[1]) end
return {n, 0}`;

export type Count = { count: number; secondsLeft: number };

/**
 * Counts in fixed windows, shared by all replicas through Redis. Each process also counts for itself: while Redis is
 * away, slow or was flushed, the local count still holds.
 */
export class Counters {
  private readonly local = new Map<string, { count: number; endsAt: number }>();

  constructor(
    private readonly redis: Redis,
    private readonly instance: string,
  ) {}

  async add(key: string, windowSeconds: number, by = 1): Promise<Count> {
    const local = this.addLocally(key, windowSeconds, by);
    const shared = await this.runCommand(() => this.redis.eval(addInWindow, 1, this.redisKey(key), by, windowSeconds));
    return largerOf(local, shared);
  }

  async read(key: string): Promise<Count> {
    const local = this.readLocally(key);
    const shared = await this.runCommand(async () => {
      const [count, ttl] = await Promise.all([this.redis.get(this.redisKey(key)), this.redis.ttl(this.redisKey(key))]);
      return [Number(count ?? 0), ttl];
    });
    return largerOf(local, shared);
  }

  /** Takes back one attempt that was counted in advance. */
  async takeBack(key: string): Promise<void> {
    const existing = this.local.get(key);
    if (existing && existing.count > 0) existing.count -= 1;
    await this.runCommand(() => this.redis.eval(decrement, 1, this.redisKey(key)));
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }

  private redisKey(key: string): string {
    return `vigie:${this.instance}:count:${key}`;
  }

  private async runCommand(command: () => Promise<unknown>): Promise<Count | undefined> {
    if (this.redis.status !== 'ready') return undefined;
    const answer = await command().catch(() => undefined);
    if (!Array.isArray(answer)) return undefined;
    return { count: Number(answer[0]), secondsLeft: Math.max(1, Number(answer[1])) };
  }

  private addLocally(key: string, windowSeconds: number, by: number): Count {
    const existing = this.local.get(key);
    const current =
      existing && existing.endsAt > Date.now() ? existing : { count: 0, endsAt: Date.now() + windowSeconds * 1000 };
    current.count += by;
    if (this.local.size >= maxLocalKeys && !existing) this.evict();
    this.local.set(key, current);
    return { count: current.count, secondsLeft: secondsUntil(current.endsAt) };
  }

  private readLocally(key: string): Count {
    const existing = this.local.get(key);
    if (!existing || existing.endsAt <= Date.now()) return { count: 0, secondsLeft: 0 };
    return { count: existing.count, secondsLeft: secondsUntil(existing.endsAt) };
  }

  /** Drops expired counts first, because many new keys must not make it forget a limit that still holds. */
  private evict(): void {
    for (const [key, { endsAt }] of this.local) if (endsAt <= Date.now()) this.local.delete(key);
    for (const [key] of this.local) {
      if (this.local.size < maxLocalKeys * 0.9) return;
      this.local.delete(key);
    }
  }
}

/** Fails fast and keeps trying in the background: a limit must never make a request wait for Redis. */
export function openCounters(url: string, { keys, log }: { keys: Pick<KeyFile, 'instance'>; log: Log }): Counters {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 250,
    connectTimeout: 2_000,
    retryStrategy: (attempt: number) => Math.min(100 * attempt, 2_000),
  });
  redis.on('error', (error: Error) => log.warn({ err: error }, 'redis is away'));
  return new Counters(redis, keys.instance);
}

const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - Date.now()) / 1000));

const largerOf = (local: Count, shared: Count | undefined): Count =>
  shared && shared.count >= local.count ? shared : local;
