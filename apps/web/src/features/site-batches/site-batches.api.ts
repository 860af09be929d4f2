import type { Fields } from '@vigie/contracts/calls';
import { backupSites, deleteSites, groupSites, planSiteBatch } from '@vigie/contracts/site-batches';
import { api } from '../../kit/query/api';
import { creationOf, failedBy, queryOf } from '../../kit/query/endpoints';
import { failureReason } from '../../kit/query/failures';

export const siteBatchesApi = api.injectEndpoints({
  endpoints: (build) => ({
    planSiteBatch: build.query({ ...queryOf(planSiteBatch), keepUnusedDataFor: 0 }),
    backupSites: build.mutation(creationOf(backupSites, 'Échec du backup.')),
    groupSites: build.mutation({
      ...creationOf(groupSites),
      ...failedBy((error, { verb }: Fields<typeof groupSites>) =>
        failureReason(
          error,
          verb === 'join'
            ? 'Les sites n’ont pas pu être ajoutés au groupe.'
            : 'Les sites n’ont pas pu être retirés du groupe.',
        ),
      ),
    }),
    deleteSites: build.mutation(creationOf(deleteSites, 'Échec de la suppression.')),
  }),
});
