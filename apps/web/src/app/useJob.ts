import { skipToken } from '@reduxjs/toolkit/query';
import { isFinal } from '@vigie/contracts/jobs';
import { useEffect } from 'react';
import { jobsApi } from '../features/jobs/jobs.api';
import { watchJob } from '../features/jobs/outcomes';
import { isApiError } from './api-error';

const everyMs = 1_000;
const afterFailureMs = 5_000;
const { job } = jobsApi.endpoints;

/** Follows the work that somebody asked for until it is over; the dock shows the same. */
export function useJob(id: string | undefined) {
  const { currentData, error } = job.useQueryState(id ?? skipToken);
  const isOver = currentData ? isFinal(currentData.state) : isApiError(error) && error.status === 404;
  useEffect(() => (id === undefined ? undefined : watchJob(id)), [id]);
  return jobsApi.useJobQuery(id ?? skipToken, {
    pollingInterval: isOver ? 0 : error ? afterFailureMs : everyMs,
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
    skipPollingIfUnfocused: true,
  });
}

export const useCancelJob = jobsApi.useCancelJobMutation;
