import { readSiteCheckRules, saveSiteCheckRules } from '@vigie/contracts/site-check-rules';
import { api } from '../../kit/query/api';
import { mutationOf, queryOf } from '../../kit/query/endpoints';

export const siteCheckRulesApi = api.injectEndpoints({
  endpoints: (build) => ({
    siteCheckRules: build.query(queryOf(readSiteCheckRules)),
    saveSiteCheckRules: build.mutation(mutationOf(saveSiteCheckRules, 'Les attentes n’ont pas pu être enregistrées.')),
  }),
});
