import { skipToken } from '@reduxjs/toolkit/query';
import { isFinal } from '@vigie/contracts/jobs';
import { useEffect } from 'react';
import { jobsApi } from './jobs.api';
import { watchJob } from './outcomes';
import { isApiError } from '../query/api-error';
import { sentenceOf } from '../query/failures';
import { whileVisible } from '../query/usePollInterval';

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
