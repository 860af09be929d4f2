import { isFinal, type Job } from '@vigie/contracts/jobs';
import { type Repair, SiteRepairs } from '@vigie/contracts/site-repairs';
import { useEffect, useEffectEvent, useRef } from 'react';
import { reasonOf } from '../../app/failed';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { useCancel, useJob } from '../../app/useJob';
import { siteRepairsApi } from './site-repairs.api';

const failed = 'Ce site n’a pas pu être examiné.';

const whyOf = ({ state, error }: Job): string =>
  state === 'cancelled' ? 'L’examen a été annulé.' : (error?.message ?? failed);

type Read = { job: Job | undefined; refusal: unknown; isAsking: boolean; isShown: boolean };

/** How what the address names stands. */
function standingOf({ job, refusal, isAsking, isShown }: Read) {
  if (isAsking) return { isRunning: true, found: undefined, failure: undefined };
  if (refusal) return { isRunning: false, found: undefined, failure: reasonOf(refusal, failed) };
  if (!job || !isFinal(job.state)) return { isRunning: isShown, found: undefined, failure: undefined };
  const found = job.state === 'succeeded' ? SiteRepairs.safeParse(job.result).data : undefined;
  return { isRunning: false, found, failure: found ? undefined : whyOf(job) };
}

/** The look at a site, or the repair with the look after it: a job, whose id is in the address. */
export function useRepairs(id: string, shown: string | undefined, follow: (job: string) => void) {
  const [look, looking] = siteRepairsApi.useLookForRepairsMutation();
  const [repair, repairing] = siteRepairsApi.useRepairSiteMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const { currentData: job, error } = useJob(shown);
  const { cancel, cancelRefusal } = useCancel(job?.id);
  const examine = async (): Promise<void> => {
    const answer = await look({ id, idempotencyKey: keyFor({ id }) });
    if (!answer.data) return void tellFailure(answer.error, failed);
    renewKey();
    follow(answer.data.job_id);
  };
  /** Gives why it was refused. */
  const apply = async (wanted: Repair): Promise<string | undefined> => {
    const answer = await repair({ id, repair: wanted, idempotencyKey: keyFor(wanted) });
    if (!answer.data) return tellFailure(answer.error, 'La réparation n’a pas pu être demandée.');
    renewKey();
    follow(answer.data.job_id);
    return undefined;
  };
  const begin = useEffectEvent(() => void examine());
  const isBegun = useRef(false);
  useEffect(() => {
    if (shown !== undefined || isBegun.current) return;
    isBegun.current = true;
    begin();
  }, [shown]);
  const refusal = looking.error ?? (job ? undefined : error);
  return {
    job,
    ...standingOf({ job, refusal, isAsking: looking.isLoading, isShown: shown !== undefined }),
    /** What was found stays, and whatever a repair is refused for beside it. */
    isSending: repairing.isLoading,
    remedy: job?.error?.remedy,
    examine: () => void examine(),
    apply,
    cancel,
    cancelRefusal,
  };
}
