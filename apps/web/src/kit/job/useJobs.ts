import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { usePollInterval, whileVisible } from '../query/usePollInterval';
import { jobsApi, newestJobs, openJobs } from './jobs.api';

const busyMs = 2_000;
const idleMs = 15_000;
const noJobs: readonly JobItem[] = [];

const isOpen = ({ state }: JobItem) => !isFinal(state);

const { jobs } = jobsApi.endpoints;

/** Reads the cache only; `useJobsPolling` polls. */
export function useJobs() {
  const { data = noJobs } = jobs.useQueryState(newestJobs);
  const { data: open = data } = jobs.useQueryState(openJobs);
  return { jobs: data, open: open.filter(isOpen) };
}

/** A job that was started elsewhere appears among the newest first. */
function useIsBusy(): boolean {
  const cached = useJobs();
  return cached.open.length > 0 || cached.jobs.some(isOpen);
}

/** Polls faster while a job is open. */
export function useJobsPollInterval(): number {
  const isBusy = useIsBusy();
  return usePollInterval(jobs.useQueryState(isBusy ? openJobs : newestJobs), isBusy ? busyMs : idleMs);
}

/** Polls the jobs on every screen. */
export function useJobsPolling(): void {
  const pollInterval = useJobsPollInterval();
  const isBusy = useIsBusy();
  jobs.useQuerySubscription(newestJobs, { pollingInterval: Math.max(idleMs, pollInterval), ...whileVisible });
  jobs.useQuerySubscription(openJobs, { pollingInterval: isBusy ? pollInterval : 0, ...whileVisible });
}
