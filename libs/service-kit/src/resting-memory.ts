import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';
import type { Log } from './log';
import { RepeatingTask } from './repeating-task';

const checkEveryMs = 5_000;
/** Whoever works less than this rests, and nobody notices that it stands still for some milliseconds. */
const maxUtilization = 0.02;
const minGrowthBytes = 4 * 1024 * 1024;

/**
 * Gives memory back once the process rests. Node keeps what its busiest moment needed, often the start itself, until it
 * is as busy again.
 */
export function releaseMemoryAtRest(log: Log, everyMs = checkEveryMs): RepeatingTask {
  let [utilization, restingBytes] = [performance.eventLoopUtilization(), 0];
  const task = new RepeatingTask(log, 'memory could not be released', async () => {
    const since = utilization;
    utilization = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(utilization, since).utilization > maxUtilization) return;
    if (process.memoryUsage.rss() < restingBytes + minGrowthBytes) return;
    await collectGarbage();
    restingBytes = process.memoryUsage.rss();
  });
  task.start(everyMs);
  return task;
}

/** Of all ways to collect garbage only this one gives the memory back to the system. It opens no port. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
