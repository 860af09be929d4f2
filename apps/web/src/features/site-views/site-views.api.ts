import { createSiteView, deleteSiteView, editSiteView, listSiteViews } from '@vigie/contracts/site-views';
import { api } from '../../kit/query/api';
import { creationOf, mutationOf, queryOf } from '../../kit/query/endpoints';

const saveFailed = 'La vue n’a pas pu être enregistrée.';

export const siteViewsApi = api.injectEndpoints({
  endpoints: (build) => ({
    siteViews: build.query(queryOf(listSiteViews)),
    createSiteView: build.mutation(creationOf(createSiteView, saveFailed)),
    editSiteView: build.mutation(mutationOf(editSiteView, saveFailed)),
    deleteSiteView: build.mutation(mutationOf(deleteSiteView, 'Échec de la suppression.')),
  }),
});
