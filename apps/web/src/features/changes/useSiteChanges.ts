import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import type { Site } from '@vigie/contracts/sites';
import { useState } from 'react';
import { toastFailure } from '../../kit/query/failures';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { createSignal, useSignal } from '../../ui/signal';
import { useNow } from '../../ui/useNow';
import { changesApi } from './changes.api';
import type { ChangeRequest } from './change-requests';
import { itemStates } from './states';
import { useEndToasts } from './useEndToasts';
import { refusalMessage } from './words';

const busyPollMs = 1_500;
const idlePollMs = 15_000;
const minuteMs = 60_000;
const noJobs: readonly JobItem[] = [];

/** Failures that the user has hidden, until the page is reloaded. */
const dismissed = createSignal<ReadonlySet<string>>(new Set());

export type LoadedSite = { site: Site; readAt: number };

const { siteChanges } = changesApi.endpoints;

function useChangeJobs(siteId: string): readonly JobItem[] {
  const current = siteChanges.useQueryState(siteId);
  const isBusy = current.currentData?.some(({ state }) => !isFinal(state));
  const pollingInterval = usePollInterval(current, isBusy ? busyPollMs : idlePollMs);
  const { currentData = noJobs } = changesApi.useSiteChangesQuery(siteId, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
  return currentData;
}

/** The change jobs of a site, and how to start one. An item stays busy until the site is read again after its job. */
export function useSiteChanges({ site, readAt }: LoadedSite) {
  const jobs = useChangeJobs(site.id);
  const track = useEndToasts(jobs);
  const now = useNow(minuteMs).getTime();
  const [change] = changesApi.useChangeMutation();
  const [pending, setPending] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const states = itemStates(jobs, { readAt, now, dismissed: useSignal(dismissed) });
  const setRefusal = (key: string, sentence: string | undefined) =>
    setRefusals((current) => {
      const next = new Map(current);
      if (sentence === undefined) next.delete(key);
      else next.set(key, sentence);
      return next;
    });
  const markPending = (key: string, jobId?: string) => setPending((current) => new Map(current).set(key, jobId));
  /** Resolves to the reason when the server refuses. */
  const start = async (request: ChangeRequest): Promise<string | undefined> => {
    const { key, verb, fields, fallback } = request;
    setRefusal(key, undefined);
    markPending(key);
    const form = { id: site.id, verb, fields };
    const { data, error } = await change(form);
    if (data) {
      markPending(key, data.job_id);
      track(data.job_id);
      return undefined;
    }
    const sentence = refusalMessage(error, fallback);
    toastFailure(sentence, error);
    setRefusal(key, sentence);
    setPending((current) => new Map([...current].filter(([other]) => other !== key)));
    return sentence;
  };
  const isPending = (key: string) => {
    const id = pending.get(key);
    // Covers the time until the list of jobs holds the new job.
    return pending.has(key) && (id === undefined || jobs.every((job) => job.id !== id));
  };
  return {
    jobs,
    states,
    start,
    statusOf: (key: string) => {
      const { open, failed } = states.get(key) ?? {};
      return { open, failed, refusal: refusals.get(key), isBusy: open !== undefined || isPending(key) };
    },
    refusals,
    pendingKeys: pending.keys(),
    dismiss: (key: string, jobId?: string) => {
      setRefusal(key, undefined);
      if (jobId !== undefined) dismissed.set(new Set(dismissed.get()).add(jobId));
    },
  };
}

export type SiteChanges = ReturnType<typeof useSiteChanges>;
export type ItemStatus = ReturnType<SiteChanges['statusOf']>;
