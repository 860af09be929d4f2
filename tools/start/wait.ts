import { setTimeout as sleep } from 'node:timers/promises';

/** Polls a condition; resolves to false after `timeoutMs` or when `signal` fires. */
export async function waitFor(
  condition: () => Promise<boolean>,
  { timeoutMs, everyMs = 50, signal }: { timeoutMs: number; everyMs?: number; signal?: AbortSignal },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (signal?.aborted) return false;
    if (await condition()) return true;
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
  return false;
}
