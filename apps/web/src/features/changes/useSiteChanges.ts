import type { Site } from '@vigie/contracts/sites';
import { useState } from 'react';
import { dismissJob, noJobs, useDismissedJobs, useJobListOptions, useWork } from '../../kit/job/useWork';
import type { CallState } from '../../kit/query/failures';
import { useNow } from '../../ui/useNow';
import type { ChangeRequest } from './change-requests';
import { changesApi } from './changes.api';
import { itemStates } from './states';
import { changeEnd } from './words';

const minuteMs = 60_000;

export type LoadedSite = { site: Site; readAt: number };

/** The change jobs of a site, and how to start one. An item stays busy until the site is read again after its job. */
export function useSiteChanges({ site, readAt }: LoadedSite) {
  const options = useJobListOptions(changesApi.endpoints.siteChanges.useQueryState(site.id));
  const { currentData: jobs = noJobs } = changesApi.useSiteChangesQuery(site.id, options);
  const work = useWork(jobs, changeEnd);
  const now = useNow(minuteMs).getTime();
  const [change] = changesApi.useChangeMutation();
  const states = itemStates(jobs, { readAt, now, dismissed: useDismissedJobs() });
  return {
    jobs,
    states,
    /** Resolves to the error when the server refuses. */
    start: (request: ChangeRequest) => work.ask(request.key, () => change({ id: site.id, ...request })),
    statusOf: (key: string) => {
      const { open, failed } = states.get(key) ?? {};
      return { open, failed, refusal: work.refusals.get(key), isBusy: open !== undefined || work.isPending(key) };
    },
    refusals: work.refusals,
    pendingKeys: work.pendingKeys,
    dismiss: (key: string, jobId?: string) => {
      work.dismissRefusal(key);
      if (jobId !== undefined) dismissJob(jobId);
    },
  };
}

export type SiteChanges = ReturnType<typeof useSiteChanges>;
export type ItemStatus = ReturnType<SiteChanges['statusOf']>;

/** Resolves to the error when the server refuses. */
export type Submit = () => Promise<unknown>;

/** Submits a dialog, which stays open with the reason when the server refuses. */
export function useSubmit(onStarted: () => void) {
  const [call, setCall] = useState<CallState>({ isLoading: false });
  const run = async (submit: Submit): Promise<void> => {
    setCall({ isLoading: true });
    const error = await submit();
    setCall({ isLoading: false, error });
    if (error === undefined) onStarted();
  };
  return { call, run: (submit: Submit) => void run(submit) };
}
