import { isFinal, type Job } from '@vigie/contracts/jobs';
import { Discovery } from '@vigie/contracts/site-discovery';
import { useEffect, useEffectEvent, useRef } from 'react';
import { reasonOf } from '../../app/failed';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { useCancel, useJob } from '../../app/useJob';
import { discoveryApi } from './site-discovery.api';

const failed = 'Les sites de ce serveur n’ont pas pu être cherchés.';

/** Why a search that is over found nothing. */
function endOf({ state, error }: Job): string | undefined {
  if (!isFinal(state)) return undefined;
  return state === 'cancelled' ? 'La recherche a été annulée.' : (error?.message ?? failed);
}

/** The search of the sites of a server: a job, whose id is in the address; it begins as it is opened. */
export function useDiscovery(server: string, shown: string | undefined, follow: (job: string) => void) {
  const [discover, { error: refusal, isLoading }] = discoveryApi.useDiscoverSitesMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const { currentData: job, error } = useJob(shown);
  const { cancel, cancelRefusal } = useCancel(job?.id);
  const run = async (folder: string): Promise<void> => {
    const answer = await discover({ id: server, folder, idempotencyKey: keyFor({ server, folder }) });
    if (!answer.data) return void tellFailure(answer.error, failed);
    renewKey();
    follow(answer.data.job_id);
  };
  const begin = useEffectEvent(() => void run(''));
  const isBegun = useRef(false);
  useEffect(() => {
    if (shown !== undefined || isBegun.current) return;
    isBegun.current = true;
    begin();
  }, [shown]);
  const found = job?.state === 'succeeded' ? Discovery.safeParse(job.result).data : undefined;
  const why = refusal ?? (job ? undefined : error);
  return {
    job,
    found,
    failure: isLoading ? undefined : why ? reasonOf(why, failed) : job && !found ? endOf(job) : undefined,
    remedy: job?.error?.remedy,
    /** Where sites usually lie, and in a folder besides. */
    again: (folder = '') => void run(folder),
    cancel,
    cancelRefusal,
  };
}
