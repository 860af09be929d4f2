import { skipToken } from '@reduxjs/toolkit/query';
import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { useEffect } from 'react';
import { isApiError } from '../query/api-error';
import { sentenceOf } from '../query/failures';
import { usePollInterval, whileVisible } from '../query/usePollInterval';
import { jobsApi, newestJobs, openJobs } from './jobs.api';
import { watchJob } from './outcomes';

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

const pollMs = 1_000;
const failurePollMs = 4_000;
const { job } = jobsApi.endpoints;

/** Polls a job until it ends. */
export function useJob(id: string | undefined) {
  const { currentData, error } = job.useQueryState(id ?? skipToken);
  const isOver = currentData ? isFinal(currentData.state) : isApiError(error) && error.status === 404;
  useEffect(() => (id === undefined ? undefined : watchJob(id)), [id]);
  return jobsApi.useJobQuery(id ?? skipToken, {
    pollingInterval: isOver ? 0 : error ? failurePollMs : pollMs,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
}

export const useCancelJob = jobsApi.useCancelJobMutation;

/** Cancels a job; a refusal is shown as long as that job is. */
export function useCancel(id: string | undefined) {
  const [cancel, { error, originalArgs }] = useCancelJob();
  return {
    cancel: () => {
      if (id !== undefined) void cancel({ id });
    },
    cancelRefusal: originalArgs?.id === id ? sentenceOf(error) : undefined,
  };
}
