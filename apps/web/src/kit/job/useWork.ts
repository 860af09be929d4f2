import { isFinal, type JobError, type JobItem, type JobTicket } from '@vigie/contracts/jobs';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createSignal, useSignal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import { sentenceOf } from '../query/failures';
import { usePollInterval, whileVisible } from '../query/usePollInterval';
import { jobsApi } from './jobs.api';
import { markReported, markStarted, watchJob } from './outcomes';
import { isUndone } from './words';

const busyPollMs = 1_500;
const idlePollMs = 15_000;
type CachedJobs = Parameters<typeof usePollInterval>[0] & { currentData?: readonly JobItem[] | undefined };

export const noJobs: readonly JobItem[] = [];

/** The options of a query that lists the jobs of a screen: it is polled more often while one of them is open. */
export function useJobListOptions(cached: CachedJobs) {
  const isBusy = cached.currentData?.some(({ state }) => !isFinal(state));
  const pollingInterval = usePollInterval(cached, isBusy ? busyPollMs : idlePollMs);
  return { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible };
}

const dismissed = createSignal<ReadonlySet<string>>(new Set());

/** The failed jobs that the user has hidden, until the page is reloaded. */
export const useDismissedJobs = (): ReadonlySet<string> => useSignal(dismissed);
export const dismissJob = (id: string): void => dismissed.set(new Set(dismissed.get()).add(id));

/** The toasts at the end of a job. */
export type EndWords = {
  succeeded: (job: JobItem, result: unknown) => string;
  cancelled: (job: JobItem) => string;
  failed: (job: JobItem, error: JobError | null) => string;
  /** Whether `succeeded` needs the result, which a list does not hold. */
  readsResult?: true;
  /** Called with the result, for a screen that shows more of it. */
  onSuccess?: (job: JobItem, result: unknown) => void;
};

/** Jobs that this screen started. It reports their end itself; once it is left, the shell does. */
function useStartedJobs(jobs: readonly JobItem[], words: EndWords) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const reported = useRef(new Set<string>());
  const [loadJob] = jobsApi.useLazyJobQuery();
  useEffect(() => {
    const unwatchers = [...ids].map(watchJob);
    return () => unwatchers.forEach((end) => end());
  }, [ids]);
  const reportEnd = async (job: JobItem): Promise<void> => {
    if (job.state === 'cancelled') return toast.info(words.cancelled(job));
    const hasSucceeded = job.state === 'succeeded';
    // A list holds neither the result nor the output of the host.
    const data = hasSucceeded && !words.readsResult ? undefined : (await loadJob(job.id)).data;
    const sentence = hasSucceeded ? '' : words.failed(job, (data ?? job).error);
    if (isUndone(job)) return toast.warning(sentence);
    if (!hasSucceeded) return toast.error(sentence, `Tâche ${job.id}`);
    toast.success(words.succeeded(job, data?.result));
    return words.onSuccess?.(job, data?.result);
  };
  const ended = jobs.filter(({ id, state }) => ids.has(id) && isFinal(state));
  const reportAll = useEffectEvent(() => {
    for (const job of ended.filter(({ id }) => !reported.current.has(id))) {
      reported.current.add(job.id);
      markReported(job.id);
      void reportEnd(job);
    }
  });
  useEffect(() => {
    if (ended.length > 0) reportAll();
  }, [ended.length]);
  return (id: string): void => {
    markStarted(id);
    setIds((current) => new Set(current).add(id));
  };
}

type Answer = PromiseLike<{ data?: JobTicket | undefined; error?: unknown }>;

const without = <V>(map: ReadonlyMap<string, V>, key: string) => new Map([...map].filter(([other]) => other !== key));

/**
 * Asks for work, follows its jobs and says what came of it. `jobs` is the list that will hold them. A key names what is asked
 * for: one row of the screen, or one of its buttons.
 */
export function useWork(jobs: readonly JobItem[], words: EndWords) {
  const follow = useStartedJobs(jobs, words);
  const [pending, setPending] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  /** Resolves to the error when the server refuses. */
  const ask = async (key: string, send: () => Answer): Promise<unknown> => {
    setRefusals((current) => without(current, key));
    setPending((current) => new Map(current).set(key, undefined));
    const { data, error } = await send();
    if (data) {
      setPending((current) => new Map(current).set(key, data.job_id));
      follow(data.job_id);
      return undefined;
    }
    setPending((current) => without(current, key));
    setRefusals((current) => new Map(current).set(key, sentenceOf(error) ?? ''));
    return error;
  };
  return {
    ask,
    /** Follows a job that another component of this screen asked for. */
    follow,
    /** True from the click until the list of jobs holds the job. */
    isPending: (key: string): boolean => {
      const id = pending.get(key);
      return pending.has(key) && (id === undefined || jobs.every((job) => job.id !== id));
    },
    pendingKeys: pending.keys(),
    refusals,
    dismissRefusal: (key: string): void => setRefusals((current) => without(current, key)),
    dismissRefusals: (): void => setRefusals(new Map()),
  };
}
