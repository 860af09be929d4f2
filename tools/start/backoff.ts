const firstMs = 250;
const lastMs = 5_000;
const settledMs = 30_000;

/** How long to wait before a dead process is restarted; `previous` is the wait after its last death. */
export function nextDelay(previous: number | undefined, aliveMs: number): number {
  if (previous === undefined || aliveMs >= settledMs) return firstMs;
  return Math.min(previous * 2, lastMs);
}
