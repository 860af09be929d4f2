import type { UnknownAction } from '@reduxjs/toolkit';
import { isFinal, type JobItem, listJobs } from '@vigie/contracts/jobs';
import { callOf, onSuccess } from '../query/endpoints';

/** More jobs than one site ever has open. */
const max = 100;

type Dispatch = (action: UnknownAction) => unknown;
type OnEnd = (ended: readonly JobItem[], siteId: string, dispatch: Dispatch) => void;
type Cycle = {
  getCacheEntry: () => { data?: readonly JobItem[] | undefined };
  queryFulfilled: PromiseLike<{ data: readonly JobItem[] }>;
  dispatch: Dispatch;
};

/** For `build.query`: the jobs of a site whose kind starts with the prefix, newest first. Tells which ended since the last read. */
export const siteJobsOf = (prefix: `${string}.`, onEnd: OnEnd) => ({
  query: (siteId: string) => callOf(listJobs, { site_id: siteId, limit: max }),
  transformResponse: ({ items }: { items: JobItem[] }) => items.filter(({ kind }) => kind.startsWith(prefix)),
  onQueryStarted: (siteId: string, cycle: Cycle): void => {
    const before = cycle.getCacheEntry().data;
    const endedIds = new Set(before?.filter(({ state }) => isFinal(state)).map(({ id }) => id));
    onSuccess(cycle, (jobs) => {
      const ended = before ? jobs.filter(({ id, state }) => isFinal(state) && !endedIds.has(id)) : [];
      if (ended.length > 0) onEnd(ended, siteId, cycle.dispatch);
    });
  },
});
