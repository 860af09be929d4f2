import { isFinal, type JobError, type JobItem } from '@vigie/contracts/jobs';
import { useEffect, useEffectEvent } from 'react';
import { useStartedJobs, useLazyJob } from '../../kit/job/useStartedJobs';
import { toast } from '../../ui/toasts';
import { joinError, outcomeLabel, successMessage } from './words';

type Failure = { job: JobItem; error: JobError | null };

const defaultMessage = ({ job, error }: Failure): string =>
  [outcomeLabel(job).word, error && joinError(error)].filter(Boolean).join(' ');

/** Shows a toast at the end of each job that this screen started, with the output of the host when it failed. */
export function useEndToasts(jobs: readonly JobItem[], formatMessage = defaultMessage) {
  const { ids, track, untrack } = useStartedJobs();
  const [loadJob] = useLazyJob();
  const reportEnd = async (job: JobItem): Promise<void> => {
    if (job.state === 'succeeded') return toast.success(successMessage(job));
    if (job.state === 'cancelled') return toast.info(`Annulé\u00a0: ${job.about ?? ''}`);
    const { data } = await loadJob(job.id);
    toast.error(formatMessage({ job, error: (data ?? job).error }), `Tâche ${job.id}`);
  };
  const ended = jobs.filter(({ id, state }) => ids.has(id) && isFinal(state));
  const reportAll = useEffectEvent(() => {
    untrack(new Set(ended.map(({ id }) => id)));
    for (const job of ended) void reportEnd(job);
  });
  useEffect(() => {
    if (ended.length > 0) reportAll();
  }, [ended.length]);
  return track;
}
