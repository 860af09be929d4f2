import { isFinal } from '@vigie/contracts/jobs';
import { useEffect, useEffectEvent, useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useJob } from '../../app/useJob';
import { toast } from '../../ui/toasts';
import { looksApi } from './sites.api';

const failed = 'Le site n’a pas pu être lu.';

/** A new look at a site, by its files and by its address; what it finds is the site's, and the dock shows it too. */
export function useLook(id: string) {
  const [look, { isLoading }] = looksApi.useLookAtSiteMutation();
  const [visit] = looksApi.useVisitSiteMutation();
  const [shown, setShown] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const { currentData: job } = useJob(shown);
  const isLost = job?.state === 'failed' || job?.state === 'unknown';
  const why = isLost ? (job.error?.message ?? failed) : undefined;
  const end = useEffectEvent(() => {
    if (why !== undefined) toast.error(why);
    else if (job?.state === 'cancelled') toast.info('Lecture annulée.');
  });
  const isOver = job !== undefined && isFinal(job.state);
  useEffect(() => {
    if (isOver) end();
  }, [isOver]);
  const run = async (): Promise<void> => {
    setFailure(undefined);
    setShown(undefined);
    void visit(id);
    const { data, error } = await look(id);
    if (!data) setFailure(tellFailure(error, failed));
    else if ('job_id' in data) setShown(data.job_id);
  };
  return {
    run: () => void run(),
    isLooking: isLoading || (shown !== undefined && !isOver),
    job,
    failure: failure ?? why,
  };
}
