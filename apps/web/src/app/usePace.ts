import { useState } from 'react';

/** However long a failure lasts, its end is seen after so many intervals at most. */
const maxIntervals = 4;

/** How a query stands, as it was last read. */
type Read = { error?: unknown; startedTimeStamp?: number; fulfilledTimeStamp?: number };

/** How often it is worth asking: while there is no answer, as late again as it is. */
export function usePace(read: Read, everyMs: number): number {
  const [since] = useState(() => Date.now());
  const { error, startedTimeStamp = since, fulfilledTimeStamp = since } = read;
  const lateMs = error ? startedTimeStamp - fulfilledTimeStamp : 0;
  return Math.min(maxIntervals * everyMs, Math.max(everyMs, lateMs));
}

/** Not while the page is hidden, and at once when it is there again, or the network or Vigie is. */
export const visibly = { skipPollingIfUnfocused: true, refetchOnFocus: true, refetchOnReconnect: true } as const;
