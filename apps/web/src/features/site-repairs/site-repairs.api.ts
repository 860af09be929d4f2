import { checkForRepairs, repairSite } from '@vigie/contracts/site-repairs';
import { api } from '../../app/api';
import { creationOf } from '../../app/endpoints';

export const siteRepairsApi = api.injectEndpoints({
  endpoints: (build) => ({
    checkForRepairs: build.mutation(creationOf(checkForRepairs)),
    repairSite: build.mutation(creationOf(repairSite)),
  }),
});
