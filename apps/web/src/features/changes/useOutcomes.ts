import { isFinal, type JobError, type JobItem } from '@vigie/contracts/jobs';
import { useEffect, useEffectEvent } from 'react';
import { useStartedJobs, useLazyJob } from '../../app/useBegun';
import { toast } from '../../ui/toasts';
import { joined, outcomeOf, successOf } from './words';

type Failure = { job: JobItem; error: JobError | null };

const spellUsual = ({ job, error }: Failure): string =>
  [outcomeOf(job).word, error && joined(error)].filter(Boolean).join(' ');

/** Shows a toast at the end of each job that this screen started, with the output of the host when it failed. */
export function useOutcomes(jobs: readonly JobItem[], spell = spellUsual) {
  const { ids, track: begin, untrack: end } = useStartedJobs();
  const [read] = useLazyJob();
  const tell = async (job: JobItem): Promise<void> => {
    if (job.state === 'succeeded') return toast.success(successOf(job));
    if (job.state === 'cancelled') return toast.info(`Annulé\u00a0: ${job.about ?? ''}`);
    const { data } = await read(job.id);
    toast.error(spell({ job, error: (data ?? job).error }), `Tâche ${job.id}`);
  };
  const over = jobs.filter(({ id, state }) => ids.has(id) && isFinal(state));
  const settle = useEffectEvent(() => {
    end(new Set(over.map(({ id }) => id)));
    for (const job of over) void tell(job);
  });
  useEffect(() => {
    if (over.length > 0) settle();
  }, [over.length]);
  return begin;
}
