import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until the answer is yes; false when `timeoutMs` went by, or `signal` fired. */
export async function waitFor(
  isSo: () => Promise<boolean>,
  { timeoutMs, everyMs = 50, signal }: { timeoutMs: number; everyMs?: number; signal?: AbortSignal },
): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (performance.now() < end) {
    if (signal?.aborted) return false;
    if (await isSo()) return true;
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
  return false;
}
