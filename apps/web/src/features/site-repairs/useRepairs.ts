import { isFinal, type Job } from '@vigie/contracts/jobs';
import { type Repair, SiteRepairs } from '@vigie/contracts/site-repairs';
import { useEffect, useEffectEvent, useRef } from 'react';
import { failureReason } from '../../kit/query/failures';
import { useCancel, useJob } from '../../kit/job/useJobs';
import { checkFailed, siteRepairsApi } from './site-repairs.api';

const failureOf = ({ state, error }: Job): string =>
  state === 'cancelled' ? 'L’examen a été annulé.' : (error?.message ?? checkFailed);

type JobState = { job: Job | undefined; refusal: unknown; isRequesting: boolean; hasJob: boolean };

function stateOf({ job, refusal, isRequesting, hasJob }: JobState) {
  if (isRequesting) return { isRunning: true, result: undefined, failure: undefined };
  if (refusal) return { isRunning: false, result: undefined, failure: failureReason(refusal, checkFailed) };
  if (!job || !isFinal(job.state)) return { isRunning: hasJob, result: undefined, failure: undefined };
  const result = job.state === 'succeeded' ? SiteRepairs.safeParse(job.result).data : undefined;
  return { isRunning: false, result, failure: result ? undefined : failureOf(job) };
}

/** Runs a check, or a repair followed by a check, as a job whose id is in the address. */
export function useRepairs(siteId: string, jobId: string | undefined, follow: (jobId: string) => void) {
  const [requestCheck, checkRequest] = siteRepairsApi.useCheckForRepairsMutation();
  const [requestRepair, repairRequest] = siteRepairsApi.useRepairSiteMutation();
  const { currentData: job, error } = useJob(jobId);
  const { cancel, cancelRefusal } = useCancel(job?.id);
  const examine = async (): Promise<void> => {
    const answer = await requestCheck({ id: siteId });
    if (answer.data) follow(answer.data.job_id);
  };
  /** Resolves to the error when the repair was refused. */
  const apply = async (repair: Repair): Promise<unknown> => {
    const answer = await requestRepair({ id: siteId, repair });
    if (answer.data) follow(answer.data.job_id);
    return answer.error;
  };
  const startCheck = useEffectEvent(() => void examine());
  const hasStarted = useRef(false);
  useEffect(() => {
    if (jobId !== undefined || hasStarted.current) return;
    hasStarted.current = true;
    startCheck();
  }, [jobId]);
  const refusal = checkRequest.error ?? (job ? undefined : error);
  return {
    job,
    ...stateOf({ job, refusal, isRequesting: checkRequest.isLoading, hasJob: jobId !== undefined }),
    /** The result stays visible while a repair is sent or after it was refused. */
    isSending: repairRequest.isLoading,
    remedy: job?.error?.remedy,
    examine: () => void examine(),
    apply,
    cancel,
    cancelRefusal,
  };
}
