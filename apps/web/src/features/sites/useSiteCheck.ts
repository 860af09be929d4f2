import { isFinal } from '@vigie/contracts/jobs';
import { useEffect, useEffectEvent, useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { useJob } from '../../kit/job/useJob';
import { toast } from '../../ui/toasts';
import { checksApi } from './sites.api';

const checkFailed = 'Le site n’a pas pu être lu.';

/** Inspects a site's WordPress and visits its page; the dock shows the job too. */
export function useSiteCheck(id: string) {
  const [inspect, { isLoading }] = checksApi.useInspectSiteMutation();
  const [visit] = checksApi.useVisitSiteMutation();
  const [jobId, setJobId] = useState<string>();
  const [failure, setFailure] = useState<string>();
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
    setFailure(undefined);
    setJobId(undefined);
    void visit(id);
    const { data, error } = await inspect(id);
    if (!data) setFailure(reportFailure(error, checkFailed));
    else if ('job_id' in data) setJobId(data.job_id);
  };
  return {
    run: () => void run(),
    isChecking: isLoading || (jobId !== undefined && !isJobFinal),
    job,
    failure: failure ?? jobFailure,
  };
}
