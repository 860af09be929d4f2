import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { usePace, visibly } from '../../app/usePace';
import { jobsApi, newest, underWay } from './jobs.api';

const busyMs = 2_000;
const restMs = 15_000;
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

/** Often while something is under way. */
export function useJobsPace(): number {
  const isBusy = useIsBusy();
  return usePace(jobs.useQueryState(isBusy ? underWay : newest), isBusy ? busyMs : restMs);
}

/** Keeps them up to date, whatever screen is shown. */
export function useJobsWatch(): void {
  const pace = useJobsPace();
  const isBusy = useIsBusy();
  jobs.useQuerySubscription(newest, { pollingInterval: Math.max(restMs, pace), ...visibly });
  jobs.useQuerySubscription(underWay, { pollingInterval: isBusy ? pace : 0, ...visibly });
}
