import { skipToken } from '@reduxjs/toolkit/query';
import { isFinal } from '@vigie/contracts/jobs';
import { useEffect, useState } from 'react';
import { jobsApi } from './jobs.api';
import { watchJob } from './outcomes';
import { isApiError } from '../query/api-error';
import { reportFailure } from '../query/failures';
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

export function useCancel(id: string | undefined) {
  const [cancelJob] = useCancelJob();
  const [refusal, setRefusal] = useState<{ id: string; message: string }>();
  const cancel = async () => {
    if (id === undefined) return;
    setRefusal(undefined);
    const { error } = await cancelJob({ id });
    if (error) setRefusal({ id, message: reportFailure(error, 'La tâche n’a pas pu être annulée.') });
  };
  return { cancel: () => void cancel(), cancelRefusal: refusal?.id === id ? refusal?.message : undefined };
}
