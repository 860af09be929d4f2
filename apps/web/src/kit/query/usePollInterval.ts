import { useState } from 'react';

/** Limits how long the end of an outage may go unseen. */
const maxIntervals = 4;

type QueryTimes = { error?: unknown; startedTimeStamp?: number; fulfilledTimeStamp?: number };

/** While a query fails, its interval grows with the age of the last response. */
export function usePollInterval(query: QueryTimes, pollMs: number): number {
  const [mountedAt] = useState(() => Date.now());
  const { error, startedTimeStamp = mountedAt, fulfilledTimeStamp = mountedAt } = query;
  const ageMs = error ? startedTimeStamp - fulfilledTimeStamp : 0;
  return Math.min(maxIntervals * pollMs, Math.max(pollMs, ageMs));
}

/** Polls only while the page is visible, and at once when the page, the network or Vigie returns. */
export const whileVisible = { skipPollingIfUnfocused: true, refetchOnFocus: true, refetchOnReconnect: true } as const;
