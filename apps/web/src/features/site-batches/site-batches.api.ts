import { backupSites, deleteSites, groupSites, planSiteBatch } from '@vigie/contracts/site-batches';
import { testSites } from '@vigie/contracts/sites';
import { api } from '../../app/api';
import { mutationOf, queryOf } from '../../app/endpoints';

export const siteBatchesApi = api.injectEndpoints({
  endpoints: (build) => ({
    planSiteBatch: build.query({ ...queryOf(planSiteBatch), keepUnusedDataFor: 0 }),
    testSelectedSites: build.mutation(mutationOf(testSites)),
    backupSites: build.mutation(mutationOf(backupSites)),
    groupSites: build.mutation(mutationOf(groupSites)),
    deleteSites: build.mutation(mutationOf(deleteSites)),
  }),
});
