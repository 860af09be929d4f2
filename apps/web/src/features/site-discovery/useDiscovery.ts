import { isFinal, type Job } from '@vigie/contracts/jobs';
import { Discovery } from '@vigie/contracts/site-discovery';
import { useEffect, useEffectEvent, useRef } from 'react';
import { failureReason } from '../../kit/query/failures';
import { useCancel, useJob } from '../../kit/job/useJob';
import { discoveryApi, searchFailed } from './site-discovery.api';

/** Why a finished search has no result. */
function failureOf({ state, error }: Job): string | undefined {
  if (!isFinal(state)) return undefined;
  return state === 'cancelled' ? 'La recherche a été annulée.' : (error?.message ?? searchFailed);
}

/** Runs the search as a job, whose id is in the address. Without a job id, it starts one. */
export function useDiscovery(serverId: string, jobId: string | undefined, follow: (jobId: string) => void) {
  const [discover, { error: refusal, isLoading }] = discoveryApi.useDiscoverSitesMutation();
  const { currentData: job, error } = useJob(jobId);
  const { cancel, cancelRefusal } = useCancel(job?.id);
  const search = async (folder: string): Promise<void> => {
    const answer = await discover({ id: serverId, folder });
    if (answer.data) follow(answer.data.job_id);
  };
  const startSearch = useEffectEvent(() => void search(''));
  const hasStarted = useRef(false);
  useEffect(() => {
    if (jobId !== undefined || hasStarted.current) return;
    hasStarted.current = true;
    startSearch();
  }, [jobId]);
  const discovered = job?.state === 'succeeded' ? Discovery.safeParse(job.result).data : undefined;
  const failure = refusal ?? (job ? undefined : error);
  return {
    job,
    discovered,
    failure: isLoading
      ? undefined
      : failure
        ? failureReason(failure, searchFailed)
        : job && !discovered
          ? failureOf(job)
          : undefined,
    remedy: job?.error?.remedy,
    /** Searches the usual folders, and one more. */
    searchAgain: (folder = '') => void search(folder),
    cancel,
    cancelRefusal,
  };
}
