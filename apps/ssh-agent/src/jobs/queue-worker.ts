import type { Kit } from '@vigie/service-kit/bootstrap';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

type Queue<T> = { name: string; concurrency: number; consume: (data: T) => Promise<void> };

/** Consumes one queue, which delivers nothing twice: the ledger finds the jobs that stall. */
export function openQueueWorker<T>(
  { keys, log }: Pick<Kit, 'keys' | 'log'>,
  redisUrl: string,
  { name, concurrency, consume }: Queue<T>,
): Worker<T> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  connection.on('error', () => undefined);
  const options = { connection, prefix: `vigie:${keys.instance}:jobs`, concurrency, maxStalledCount: 0 };
  const worker = new Worker<T>(name, ({ data }) => consume(data), options);
  worker.on('error', (error) => log.warn({ err: error, queue: name }, 'the queue does not answer'));
  worker.on('closed', () => connection.disconnect());
  return worker;
}
