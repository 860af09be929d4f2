import type { Site } from '@vigie/contracts/sites';
import { dismissJob, noJobs, useDismissedJobs, useJobListOptions, useWork } from '../../kit/job/useWork';
import { useNow } from '../../ui/useNow';
import { changesApi } from './changes.api';
import type { ChangeRequest } from './change-requests';
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
