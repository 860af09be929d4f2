import { createSiteView, deleteSiteView, editSiteView, listSiteViews } from '@vigie/contracts/site-views';
import { api } from '../../kit/query/api';
import { creationOf, mutationOf, queryOf } from '../../kit/query/endpoints';

export const siteViewsApi = api.injectEndpoints({
  endpoints: (build) => ({
    siteViews: build.query(queryOf(listSiteViews)),
    createSiteView: build.mutation(creationOf(createSiteView)),
    editSiteView: build.mutation(mutationOf(editSiteView)),
    deleteSiteView: build.mutation(mutationOf(deleteSiteView, 'Échec de la suppression.')),
  }),
});
