import { skipToken } from '@reduxjs/toolkit/query';
import { isFinal } from '@vigie/contracts/jobs';
import { jobsApi } from '../features/jobs/jobs.api';

const everyMs = 1_000;
const { job } = jobsApi.endpoints;

/** Follows the work that somebody asked for until it is over; the dock shows the same. */
export function useJob(id: string | undefined) {
  const { currentData } = job.useQueryState(id ?? skipToken);
  const isOver = currentData !== undefined && isFinal(currentData.state);
  return jobsApi.useJobQuery(id ?? skipToken, {
    pollingInterval: isOver ? 0 : everyMs,
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
    skipPollingIfUnfocused: true,
  });
}

export const useCancelJob = jobsApi.useCancelJobMutation;
