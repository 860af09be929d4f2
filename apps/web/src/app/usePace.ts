import { useState } from 'react';

/** Limits how long the end of an outage may go unseen. */
const maxIntervals = 4;

type Read = { error?: unknown; startedTimeStamp?: number; fulfilledTimeStamp?: number };

/** While a query fails, its interval grows with the age of the last response. */
export function usePace(read: Read, everyMs: number): number {
  const [since] = useState(() => Date.now());
  const { error, startedTimeStamp = since, fulfilledTimeStamp = since } = read;
  const lateMs = error ? startedTimeStamp - fulfilledTimeStamp : 0;
  return Math.min(maxIntervals * everyMs, Math.max(everyMs, lateMs));
}

/** Polls only while the page is visible, and at once when the page, the network or Vigie returns. */
export const visibly = { skipPollingIfUnfocused: true, refetchOnFocus: true, refetchOnReconnect: true } as const;
