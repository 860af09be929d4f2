import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { usePace, visibly } from '../../app/usePace';
import { jobsApi, newest, underWay } from './jobs.api';

const busyMs = 2_000;
const restMs = 15_000;
const none: readonly JobItem[] = [];

const isOpen = ({ state }: JobItem) => !isFinal(state);

const { jobs } = jobsApi.endpoints;

/** Reads the cache only; `useJobsWatch` polls. */
export function useJobs() {
  const { data = none } = jobs.useQueryState(newest);
  const { data: open = data } = jobs.useQueryState(underWay);
  return { jobs: data, open: open.filter(isOpen) };
}

/** A job that was started elsewhere appears among the newest first. */
function useIsBusy(): boolean {
  const known = useJobs();
  return known.open.length > 0 || known.jobs.some(isOpen);
}

/** Polls faster while a job is open. */
export function useJobsPace(): number {
  const isBusy = useIsBusy();
  return usePace(jobs.useQueryState(isBusy ? underWay : newest), isBusy ? busyMs : restMs);
}

/** Polls the jobs on every screen. */
export function useJobsWatch(): void {
  const pace = useJobsPace();
  const isBusy = useIsBusy();
  jobs.useQuerySubscription(newest, { pollingInterval: Math.max(restMs, pace), ...visibly });
  jobs.useQuerySubscription(underWay, { pollingInterval: isBusy ? pace : 0, ...visibly });
}
