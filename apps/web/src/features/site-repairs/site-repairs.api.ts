import { checkForRepairs, repairSite } from '@vigie/contracts/site-repairs';
import { api } from '../../kit/query/api';
import { creationOf } from '../../kit/query/endpoints';

export const siteRepairsApi = api.injectEndpoints({
  endpoints: (build) => ({
    checkForRepairs: build.mutation(creationOf(checkForRepairs)),
    repairSite: build.mutation(creationOf(repairSite)),
  }),
});
