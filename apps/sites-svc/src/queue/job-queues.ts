import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type QueueName, queues } from './job.entity';

export type Queued = { id: string; attempts: number; queue: QueueName };
/** Begun jobs go to the front of their queue. */
export type WakeUp = Queued & { is_begun: boolean };

/** Sweeps are batches of target ids, without rows in `jobs`. */
const sweepQueues = ['sweeps', 'site-scans', 'site-visits', 'site-inspects'] as const;
export type SweepQueue = (typeof sweepQueues)[number];
type OpenQueues = { redis: Redis; queues: ReadonlyMap<QueueName | SweepQueue, Queue> };

/** Each Redis command has two seconds, and no call here needs more than a few. */
const maxMs = 10_000;

/** Wakes workers up. Whatever Redis loses is found again in PostgreSQL. */
@Injectable()
export class JobQueues implements OnApplicationShutdown {
  private openQueues: OpenQueues | undefined;

  constructor(
    private readonly url: string,
    private readonly prefix: string,
  ) {}

  async add(wakeUps: readonly WakeUp[]): Promise<void> {
    for (const name of queues) {
      const queued = wakeUps.filter((wakeUp) => wakeUp.queue === name);
      if (queued.length > 0) await this.use(name, (queue) => queue.addBulk(queued.map(toQueued)));
    }
  }

  /** Returns the wake-ups still in their queue; the others were flushed, or taken by a worker that died. */
  async findWaiting(wakeUps: readonly Queued[]): Promise<Queued[]> {
    const states = await Promise.all(
      wakeUps.map((wakeUp) => this.use(wakeUp.queue, (queue) => queue.getJobState(queueJobId(wakeUp)))),
    );
    return wakeUps.filter((_, place) => states[place] === 'waiting');
  }

  async addSweeps(name: SweepQueue, batches: readonly string[][]): Promise<void> {
    const opts = { removeOnComplete: true, removeOnFail: true };
    await this.use(name, (queue) => queue.addBulk(batches.map((ids) => ({ name, data: { ids }, opts }))));
  }

  async countSweeps(name: SweepQueue): Promise<number> {
    return this.use(name, (queue) => queue.getWaitingCount());
  }

  /** Returns when the oldest waiting batch was queued, in milliseconds since 1970. */
  async oldestSweep(name: SweepQueue): Promise<number | undefined> {
    const [oldest] = await this.use(name, (queue) => queue.getWaiting(0, 0));
    return oldest?.timestamp;
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.openQueues) await this.close(this.openQueues);
  }

  private async use<T>(name: QueueName | SweepQueue, work: (queue: Queue) => Promise<T>): Promise<T> {
    const current = (this.openQueues ??= open(this.url, this.prefix));
    const queue = current.queues.get(name);
    if (!queue) throw new Error(`no queue ${name}`);
    try {
      return await withTimeout(maxMs, work(queue));
    } catch (error) {
      // A queue that was opened while Redis was down does not recover. Another call may have opened new ones since.
      void this.close(current);
      throw error;
    }
  }

  private async close(current: OpenQueues): Promise<void> {
    if (this.openQueues === current) this.openQueues = undefined;
    current.redis.disconnect();
    await Promise.all([...current.queues.values()].map((queue) => queue.close().catch(() => undefined)));
  }
}

/** A queue closed during a reconnection neither answers nor fails. */
async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const timeout = wait(ms, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new Error('Redis did not answer in time');
  });
  timeout.catch(() => undefined);
  return Promise.race([work, timeout]).finally(() => timer.abort());
}

function open(url: string, prefix: string): OpenQueues {
  // Fails at once when Redis is down, so that the dispatcher does not hang.
  const redis = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: 2_000 });
  const ignore = () => undefined;
  redis.on('error', ignore);
  const names = [...queues, ...sweepQueues] as const;
  const make = (name: (typeof names)[number]) => new Queue(name, { connection: redis, prefix }).on('error', ignore);
  return { redis, queues: new Map(names.map((name) => [name, make(name)])) };
}

/** Each attempt is queued once; a retry has another number. */
const queueJobId = ({ id, attempts }: Queued) => `${id}-${attempts}`;

const toQueued = (wakeUp: WakeUp) => ({
  name: 'job',
  data: { id: wakeUp.id, attempt: wakeUp.attempts },
  opts: { jobId: queueJobId(wakeUp), attempts: 1, lifo: wakeUp.is_begun, removeOnComplete: true, removeOnFail: true },
});
