import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';
import type { Log } from './log';
import { RepeatingTask } from './repeating-task';

const checkEveryMs = 5_000;
/** A process that works less than this rests, and nobody notices that it stands still for some milliseconds. */
const maxUtilization = 0.02;
/** A process that is used now and then must not stand still for each use. */
const minChecksBetween = 12;
const minGrowthBytes = 8 * 1024 * 1024;

/**
 * Gives memory back once the process rests. Node keeps what its busiest moment needed, often the start itself, until it
 * is as busy again.
 */
export function releaseMemoryAtRest(log: Log, everyMs = checkEveryMs): RepeatingTask {
  let [utilization, restingBytes, checks] = [performance.eventLoopUtilization(), 0, minChecksBetween];
  const task = new RepeatingTask(log, 'memory could not be released', async () => {
    const since = utilization;
    checks += 1;
    utilization = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(utilization, since).utilization > maxUtilization) return;
    if (checks < minChecksBetween || process.memoryUsage.rss() < restingBytes + minGrowthBytes) return;
    await collectGarbage();
    [restingBytes, checks] = [process.memoryUsage.rss(), 0];
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
