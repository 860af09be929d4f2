import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type QueueName, queues } from './job.entity';

export type WakeUp = { id: string; attempts: number; queue: QueueName };

type Open = { redis: Redis; queues: ReadonlyMap<QueueName, Queue> };

/** Where workers hear that there is work. What is lost here is found again in PostgreSQL. */
@Injectable()
export class JobQueues implements OnApplicationShutdown {
  private opened: Open | undefined;

  constructor(
    private readonly url: string,
    private readonly prefix: string,
  ) {}

  async add(wakeUps: readonly WakeUp[]): Promise<void> {
    this.opened ??= open(this.url, this.prefix);
    try {
      for (const [name, queue] of this.opened.queues) {
        const ours = wakeUps.filter((wakeUp) => wakeUp.queue === name);
        if (ours.length > 0) await queue.addBulk(ours.map(toQueued));
      }
    } catch (error) {
      // A queue that met a dead Redis when it was opened does not recover.
      await this.close();
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  private async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    if (!opened) return;
    opened.redis.disconnect();
    await Promise.all([...opened.queues.values()].map((queue) => queue.close().catch(() => undefined)));
  }
}

function open(url: string, prefix: string): Open {
  // On a dead Redis an addition fails at once: the dispatcher must not hang on it.
  const redis = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: 2_000 });
  const ignore = () => undefined;
  redis.on('error', ignore);
  const make = (name: QueueName) => new Queue(name, { connection: redis, prefix }).on('error', ignore);
  return { redis, queues: new Map(queues.map((name) => [name, make(name)])) };
}

/** An attempt is queued once: retries are the ledger's, with another number. */
const toQueued = ({ id, attempts }: WakeUp) => ({
  name: 'job',
  data: { id, attempt: attempts },
  opts: { jobId: `${id}-${attempts}`, attempts: 1, removeOnComplete: true, removeOnFail: true },
});
