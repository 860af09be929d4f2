import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves as soon as the condition holds; the test's own limit ends a wait for what never comes. The dearer the question,
 * the longer the pause after it: many wait at once for what the same machine works at.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (;;) {
    const since = performance.now();
    if (await condition()) return;
    await sleep(Math.min(Math.max(20, 5 * (performance.now() - since)), 200));
  }
}
