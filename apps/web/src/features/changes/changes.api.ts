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
import type { JobItem } from '@vigie/contracts/jobs';
import { api } from '../../kit/query/api';
import { siteJobsOf } from '../../kit/job/siteJobs';
import { callOf, creationOf, queryOf } from '../../kit/query/endpoints';
import type { ChangeRequest } from './change-requests';
import { recordEnds } from './ended-jobs';

type SiteChange = Pick<ChangeRequest, 'verb' | 'fields'> & { id: string };
const contracts = {
  update: updateItem,
  activate: activateItem,
  deactivate: deactivateItem,
  restore: restoreItem,
  install: installUpload,
} as const;

export const changesApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Includes the jobs of batches. */
    siteChanges: build.query<readonly JobItem[], string>({
      ...siteJobsOf('changes.', (ended, _, dispatch) => {
        recordEnds(ended);
        dispatch(api.util.invalidateTags(['sites']));
      }),
      providesTags: (_, __, id) => [{ type: 'changes', id }],
    }),
    /** Any single change: the verbs differ in their contract alone. */
    change: build.mutation({
      ...creationOf(updateItem),
      invalidatesTags: (_, __, { verb }) => contracts[verb].changes,
      query: ({ verb, fields, ...form }: SiteChange) => callOf(contracts[verb], { ...form, ...fields }),
    }),
    updateItems: build.mutation(creationOf(updateItems)),
  }),
});

export const plansApi = changesApi.injectEndpoints({
  endpoints: (build) => ({
    planUpdates: build.query({ ...queryOf(planUpdates), keepUnusedDataFor: 0 }),
    applyUpdates: build.mutation(creationOf(applyUpdates)),
    planInstalls: build.query({ ...queryOf(planInstalls), keepUnusedDataFor: 0 }),
    applyInstalls: build.mutation(creationOf(applyInstalls)),
  }),
});
