import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range that systems use for outgoing connections. */
const range = { first: 20_000, count: 12_000 };
/** As many as run medium tests at once. */
const maxWorkers = 4;

/** Each worker of a test run has ports of its own, since it listens on a port only some time after it has found it. */
function rangeOfWorker(): typeof range {
  const worker = process.env['VITEST_POOL_ID'] ?? process.env['TEST_PARALLEL_INDEX'];
  if (worker === undefined) return range;
  const count = range.count / maxWorkers;
  return { first: range.first + count * (Number(worker) % maxWorkers), count };
}

/** Finds unused ports, which are still free when a test listens on them later. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  const own = rangeOfWorker();
  while (ports.size < count) {
    const port = own.first + randomInt(own.count);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
