import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { useState } from 'react';
import { jobsApi } from './jobs.api';

const busyMs = 2_000;
const restMs = 15_000;
const longestMs = 120_000;
const newest = { limit: 50 };
const none: readonly JobItem[] = [];

const isOpen = ({ state }: JobItem) => !isFinal(state);

const { jobs } = jobsApi.endpoints;

/** The newest, and those that are not over, as they were last read. */
export function useJobs() {
  const { data = none } = jobs.useQueryState(newest);
  return { jobs: data, open: data.filter(isOpen) };
}

/** How often it is worth asking: often while something is under way, and while there is no answer as late again as it is. */
export function usePace(): number {
  const [since] = useState(() => Date.now());
  const { data = none, error, startedTimeStamp = since, fulfilledTimeStamp = since } = jobs.useQueryState(newest);
  const ms = data.some(isOpen) ? busyMs : restMs;
  return error ? Math.min(longestMs, Math.max(ms, startedTimeStamp - fulfilledTimeStamp)) : ms;
}

export const visibly = { skipPollingIfUnfocused: true, refetchOnFocus: true } as const;

/** Keeps them up to date, whatever screen is shown. */
export function useJobsWatch(): void {
  const pace = usePace();
  jobs.useQuerySubscription(newest, { pollingInterval: pace, ...visibly });
}
