import { checkForRepairs, repairSite } from '@vigie/contracts/site-repairs';
import { api } from '../../app/api';
import { mutationOf } from '../../app/endpoints';

export const siteRepairsApi = api.injectEndpoints({
  endpoints: (build) => ({
    checkForRepairs: build.mutation(mutationOf(checkForRepairs)),
    repairSite: build.mutation(mutationOf(repairSite)),
  }),
});
