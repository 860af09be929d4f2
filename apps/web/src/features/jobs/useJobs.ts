import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { useState } from 'react';
import { jobsApi, newest, underWay } from './jobs.api';

const busyMs = 2_000;
const restMs = 15_000;
const longestMs = 120_000;
const none: readonly JobItem[] = [];

const isOpen = ({ state }: JobItem) => !isFinal(state);

const { jobs } = jobsApi.endpoints;

/** The newest, and those that are not over, as they were last read. */
export function useJobs() {
  const { data = none } = jobs.useQueryState(newest);
  const { data: open = data } = jobs.useQueryState(underWay);
  return { jobs: data, open: open.filter(isOpen) };
}

/** Begun elsewhere, it is among the newest first. */
function useIsBusy(): boolean {
  const known = useJobs();
  return known.open.length > 0 || known.jobs.some(isOpen);
}

/** How often it is worth asking: often while something is under way, and while there is no answer as late again as it is. */
export function usePace(): number {
  const [since] = useState(() => Date.now());
  const isBusy = useIsBusy();
  const read = jobs.useQueryState(isBusy ? underWay : newest);
  const { error, startedTimeStamp = since, fulfilledTimeStamp = since } = read;
  const ms = isBusy ? busyMs : restMs;
  return error ? Math.min(longestMs, Math.max(ms, startedTimeStamp - fulfilledTimeStamp)) : ms;
}

export const visibly = { skipPollingIfUnfocused: true, refetchOnFocus: true } as const;

/** Keeps them up to date, whatever screen is shown. */
export function useJobsWatch(): void {
  const pace = usePace();
  const isBusy = useIsBusy();
  jobs.useQuerySubscription(newest, { pollingInterval: Math.max(restMs, pace), ...visibly });
  jobs.useQuerySubscription(underWay, { pollingInterval: isBusy ? pace : 0, ...visibly });
}
