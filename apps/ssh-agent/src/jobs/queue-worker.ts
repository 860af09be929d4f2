import type { Kit } from '@vigie/service-kit/bootstrap';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

type Queue<T> = { name: string; concurrency: number; take: (data: T) => Promise<void> };

/** Hears of work on one queue. What stalls is the ledger's to find: the queue itself never gives anything twice. */
export function openQueueWorker<T>(
  { keys, log }: Pick<Kit, 'keys' | 'log'>,
  redisUrl: string,
  { name, concurrency, take }: Queue<T>,
): Worker<T> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  connection.on('error', () => undefined);
  const options = { connection, prefix: `vigie:${keys.instance}:jobs`, concurrency, maxStalledCount: 0 };
  const worker = new Worker<T>(name, ({ data }) => take(data), options);
  worker.on('error', (error) => log.warn({ err: error, queue: name }, 'the queue is away'));
  worker.on('closed', () => connection.disconnect());
  return worker;
}
