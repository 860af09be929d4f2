import { checkForRepairs, repairSite } from '@vigie/contracts/site-repairs';
import { api } from '../../kit/query/api';
import { creationOf } from '../../kit/query/endpoints';

export const checkFailed = 'Ce site n’a pas pu être examiné.';

export const siteRepairsApi = api.injectEndpoints({
  endpoints: (build) => ({
    checkForRepairs: build.mutation(creationOf(checkForRepairs, checkFailed)),
    repairSite: build.mutation(creationOf(repairSite, 'La réparation n’a pas pu être demandée.')),
  }),
});
