import { useState } from 'react';

const longestMs = 480_000;

/** How a query stands, as it was last read. */
type Read = { error?: unknown; startedTimeStamp?: number; fulfilledTimeStamp?: number };

/** How often it is worth asking: while there is no answer, as late again as it is. */
export function usePace(read: Read, everyMs: number, mostMs = longestMs): number {
  const [since] = useState(() => Date.now());
  const { error, startedTimeStamp = since, fulfilledTimeStamp = since } = read;
  return error ? Math.min(mostMs, Math.max(everyMs, startedTimeStamp - fulfilledTimeStamp)) : everyMs;
}

/** Not while the page is hidden, and at once when it is there again. */
export const visibly = { skipPollingIfUnfocused: true, refetchOnFocus: true } as const;
