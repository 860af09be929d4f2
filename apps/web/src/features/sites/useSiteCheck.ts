import { isFinal } from '@vigie/contracts/jobs';
import { useEffect, useEffectEvent, useState } from 'react';
import { sentenceOf } from '../../kit/query/failures';
import { useJob } from '../../kit/job/useJobs';
import { toast } from '../../ui/toasts';
import { checkFailed, checksApi } from './sites.api';

/** Inspects a site's WordPress and visits its page; the dock shows the job too. */
export function useSiteCheck(id: string) {
  const [inspect, { isLoading, error }] = checksApi.useInspectSiteMutation();
  const [visit] = checksApi.useVisitSiteMutation();
  const [jobId, setJobId] = useState<string>();
  const { currentData: job } = useJob(jobId);
  const hasJobFailed = job?.state === 'failed' || job?.state === 'unknown';
  const jobFailure = hasJobFailed ? (job.error?.message ?? checkFailed) : undefined;
  const announceEnd = useEffectEvent(() => {
    if (jobFailure !== undefined) toast.error(jobFailure);
    else if (job?.state === 'cancelled') toast.info('Lecture annulée.');
  });
  const isJobFinal = job !== undefined && isFinal(job.state);
  useEffect(() => {
    if (isJobFinal) announceEnd();
  }, [isJobFinal]);
  const run = async (): Promise<void> => {
    setJobId(undefined);
    void visit(id);
    const { data } = await inspect(id);
    if (data && 'job_id' in data) setJobId(data.job_id);
  };
  return {
    run: () => void run(),
    isChecking: isLoading || (jobId !== undefined && !isJobFinal),
    job,
    failure: sentenceOf(error) ?? jobFailure,
  };
}
