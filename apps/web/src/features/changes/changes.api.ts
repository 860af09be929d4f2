import {
  activateItem,
  applyInstalls,
  applyUpdates,
  deactivateItem,
  installUpload,
  planInstalls,
  planUpdates,
  restoreItem,
  updateItem,
  updateItems,
} from '@vigie/contracts/changes';
import { isFinal, type JobItem, listJobs } from '@vigie/contracts/jobs';
import { api } from '../../app/api';
import { callOf, mutationOf, queryOf } from '../../app/endpoints';
import type { ChangeRequest } from './change-requests';
import { recordEnds } from './ended-jobs';

/** More jobs than one site ever has open. */
const max = 100;

type SiteChange = Pick<ChangeRequest, 'verb' | 'fields'> & { id: string; idempotencyKey: string };
const contracts = {
  update: updateItem,
  activate: activateItem,
  deactivate: deactivateItem,
  restore: restoreItem,
  install: installUpload,
} as const;

export const changesApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Newest first, including the jobs of batches. */
    siteChanges: build.query({
      query: (siteId: string) => callOf(listJobs, { site_id: siteId, limit: max }),
      transformResponse: ({ items }: { items: JobItem[] }) => items.filter(({ kind }) => kind.startsWith('changes.')),
      providesTags: (_, __, id) => [{ type: 'changes', id }],
      onQueryStarted: (siteId, { dispatch, queryFulfilled, ...store }) => {
        const before = changesApi.endpoints.siteChanges.select(siteId)(store.getState() as never).data;
        const endedIds = new Set(before?.filter(({ state }) => isFinal(state)).map(({ id }) => id));
        const follow = ({ data }: { data: readonly JobItem[] }) => {
          const ended = before ? data.filter(({ id, state }) => isFinal(state) && !endedIds.has(id)) : [];
          if (ended.length === 0) return;
          recordEnds(ended);
          dispatch(api.util.invalidateTags(['sites']));
        };
        queryFulfilled.then(follow, () => undefined);
      },
    }),
    /** Any single change: the verbs differ in their contract alone. */
    change: build.mutation({
      ...mutationOf(updateItem),
      query: ({ verb, fields, ...form }: SiteChange) => callOf(contracts[verb], { ...form, ...fields }),
    }),
    updateItems: build.mutation(mutationOf(updateItems)),
  }),
});

export const plansApi = changesApi.injectEndpoints({
  endpoints: (build) => ({
    planUpdates: build.query({ ...queryOf(planUpdates), keepUnusedDataFor: 0 }),
    applyUpdates: build.mutation(mutationOf(applyUpdates)),
    planInstalls: build.query({ ...queryOf(planInstalls), keepUnusedDataFor: 0 }),
    applyInstalls: build.mutation(mutationOf(applyInstalls)),
  }),
});
