import { backupSites, deleteSites, groupSites, planSiteBatch } from '@vigie/contracts/site-batches';
import { testSites } from '@vigie/contracts/sites';
import { api } from '../../kit/query/api';
import { creationOf, failedBy, type Fields, queryOf } from '../../kit/query/endpoints';
import { failureReason } from '../../kit/query/failures';
import { batchTexts } from './words';

export const siteBatchesApi = api.injectEndpoints({
  endpoints: (build) => ({
    planSiteBatch: build.query({ ...queryOf(planSiteBatch), keepUnusedDataFor: 0 }),
    testSelectedSites: build.mutation(creationOf(testSites, batchTexts.test.failed)),
    backupSites: build.mutation(creationOf(backupSites, batchTexts.backup.failed)),
    groupSites: build.mutation({
      ...creationOf(groupSites),
      ...failedBy((error, { verb }: Fields<typeof groupSites>) => failureReason(error, batchTexts[verb].failed)),
    }),
    deleteSites: build.mutation(creationOf(deleteSites, batchTexts.delete.failed)),
  }),
});
