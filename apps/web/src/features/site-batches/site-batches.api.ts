import { backupSites, deleteSites, groupSites, planSiteBatch } from '@vigie/contracts/site-batches';
import { testSites } from '@vigie/contracts/sites';
import { api } from '../../kit/query/api';
import { creationOf, queryOf } from '../../kit/query/endpoints';

export const siteBatchesApi = api.injectEndpoints({
  endpoints: (build) => ({
    planSiteBatch: build.query({ ...queryOf(planSiteBatch), keepUnusedDataFor: 0 }),
    testSelectedSites: build.mutation(creationOf(testSites)),
    backupSites: build.mutation(creationOf(backupSites)),
    groupSites: build.mutation(creationOf(groupSites)),
    deleteSites: build.mutation(creationOf(deleteSites)),
  }),
});
