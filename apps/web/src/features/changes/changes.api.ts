import { callOf, type Fields } from '@vigie/contracts/calls';
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
import { siteJobsOf } from '../../kit/job/jobs.api';
import type { ApiError } from '../../kit/query/api-error';
import { creationOf, failedBy, queryOf } from '../../kit/query/endpoints';
import type { ChangeRequest } from './change-requests';
import { recordEnds } from './states';
import { failureText, receivedRefusalMessage, refusalMessage } from './words';

type SiteChange = ChangeRequest & { id: string };
const contracts = {
  update: updateItem,
  activate: activateItem,
  deactivate: deactivateItem,
  restore: restoreItem,
  install: installUpload,
} as const;

const batchRefusal = (error: ApiError) => refusalMessage(error, 'Échec des mises à jour groupées.');
type Installs = Fields<typeof applyInstalls> & { filename: string };

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
      query: ({ id, verb, fields }: SiteChange) => callOf(contracts[verb], { id, ...fields }),
      ...failedBy((error, { fallback }: SiteChange) => refusalMessage(error, fallback)),
    }),
    /** On the screen of all plugins, any mention of a licence counts as a missing one. */
    updatePlugin: build.mutation(
      creationOf(updateItem, (error) => receivedRefusalMessage(error, 'Échec de la mise à jour')),
    ),
    updateItems: build.mutation(creationOf(updateItems, batchRefusal)),
  }),
});

export const plansApi = changesApi.injectEndpoints({
  endpoints: (build) => ({
    planUpdates: build.query({ ...queryOf(planUpdates), keepUnusedDataFor: 0 }),
    applyUpdates: build.mutation(creationOf(applyUpdates, batchRefusal)),
    planInstalls: build.query({ ...queryOf(planInstalls), keepUnusedDataFor: 0 }),
    applyInstalls: build.mutation({
      ...creationOf(applyInstalls),
      query: ({ upload_id, site_ids, activate }: Installs) => callOf(applyInstalls, { upload_id, site_ids, activate }),
      ...failedBy((error, { filename }: Installs) =>
        refusalMessage(error, failureText({ kind: 'changes.install', about: filename })),
      ),
    }),
  }),
});
