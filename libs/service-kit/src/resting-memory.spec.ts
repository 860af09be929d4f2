import { Session } from 'node:inspector/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { makeLog } from './log';
import { releaseMemoryAtRest } from './resting-memory';

it('gives memory back once the process rests, and not again while it needs no more', async () => {
  const posted = vi.spyOn(Session.prototype, 'post');
  const rss = vi.spyOn(process.memoryUsage, 'rss').mockReturnValue(100 * 1024 ** 2);
  const task = releaseMemoryAtRest(makeLog('test', 'silent'), 20);
  await vi.waitFor(() => expect(posted).toHaveBeenCalledWith('HeapProfiler.collectGarbage'));
  await wait(400);
  expect(posted).toHaveBeenCalledTimes(1);
  rss.mockReturnValue(130 * 1024 ** 2);
  await vi.waitFor(() => expect(posted).toHaveBeenCalledTimes(2));
  task.stop();
  vi.restoreAllMocks();
});
