import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import type { Site } from '@vigie/contracts/sites';
import { useState } from 'react';
import { toastFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { usePace, visibly } from '../../app/usePace';
import { createSignal, useSignal } from '../../ui/signal';
import { useNow } from '../../ui/useNow';
import { changesApi } from './changes.api';
import type { Order } from './orders';
import { statesOf } from './states';
import { useOutcomes } from './useOutcomes';
import { refusalOf } from './words';

const busyMs = 1_500;
const restMs = 15_000;
const minuteMs = 60_000;
const none: readonly JobItem[] = [];

/** Failures that the user has hidden, until the page is reloaded. */
const dismissed = createSignal<ReadonlySet<string>>(new Set());

export type SiteRead = { site: Site; readAt: number };

const { siteChanges } = changesApi.endpoints;

function useJobsOf(site: string): readonly JobItem[] {
  const known = siteChanges.useQueryState(site);
  const isBusy = known.currentData?.some(({ state }) => !isFinal(state));
  const pollingInterval = usePace(known, isBusy ? busyMs : restMs);
  const { currentData = none } = changesApi.useSiteChangesQuery(site, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...visibly,
  });
  return currentData;
}

/** The change jobs of a site, and how to start one. An item stays busy until the site is read again after its job. */
export function useSiteChanges({ site, readAt }: SiteRead) {
  const jobs = useJobsOf(site.id);
  const begin = useOutcomes(jobs);
  const now = useNow(minuteMs).getTime();
  const [change] = changesApi.useChangeMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const [asked, setAsked] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const states = statesOf(jobs, { readAt, now, dismissed: useSignal(dismissed) });
  const refuse = (key: string, sentence: string | undefined) =>
    setRefusals((known) => {
      const next = new Map(known);
      if (sentence === undefined) next.delete(key);
      else next.set(key, sentence);
      return next;
    });
  const ask = (key: string, job?: string) => setAsked((known) => new Map(known).set(key, job));
  /** Resolves to the reason when the server refuses. */
  const start = async (order: Order): Promise<string | undefined> => {
    const { key, fallback } = order;
    refuse(key, undefined);
    ask(key);
    const { data, error } = await change({ site: site.id, order, idempotencyKey: keyFor({ site: site.id, order }) });
    if (data) {
      renewKey();
      ask(key, data.job_id);
      begin(data.job_id);
      return undefined;
    }
    const sentence = refusalOf(error, fallback);
    toastFailure(sentence, error);
    refuse(key, sentence);
    setAsked((known) => new Map([...known].filter(([other]) => other !== key)));
    return sentence;
  };
  const isAsked = (key: string) => {
    const id = asked.get(key);
    // Covers the time until the list of jobs holds the new job.
    return asked.has(key) && (id === undefined || jobs.every((job) => job.id !== id));
  };
  return {
    jobs,
    states,
    start,
    of: (key: string) => {
      const { open, failed } = states.get(key) ?? {};
      return { open, failed, refusal: refusals.get(key), isBusy: open !== undefined || isAsked(key) };
    },
    refusals,
    asking: asked.keys(),
    dismiss: (key: string, job?: string) => {
      refuse(key, undefined);
      if (job !== undefined) dismissed.set(new Set(dismissed.get()).add(job));
    },
  };
}

export type SiteChanges = ReturnType<typeof useSiteChanges>;
export type Standing = ReturnType<SiteChanges['of']>;
