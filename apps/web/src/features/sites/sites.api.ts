import { callOf, type Fields, type Received } from '@vigie/contracts/calls';
import { type JobItem, listJobs } from '@vigie/contracts/jobs';
import {
  createSite,
  deleteSite,
  editSite,
  explainSiteSearch,
  listSiteIds,
  type listSites,
  readHttpStatus,
  testSite,
  trustSiteKey,
} from '@vigie/contracts/sites';
import { readInventory } from '@vigie/contracts/site-inventory';
import { failureReason } from '../../kit/query/failures';
import { siteCalls } from '../../kit/fleet/sites';
import { creationOf, mutationOf, queryOf } from '../../kit/query/endpoints';

export type Page = Received<typeof listSites>;
export type SitesParams = Omit<Fields<typeof listSites>, 'limit' | 'offset'> & { limit: number; offset: number };

export const sitesApi = siteCalls.injectEndpoints({
  endpoints: (build) => ({
    siteIds: build.query(queryOf(listSiteIds)),
    siteSearchHints: build.query(queryOf(explainSiteSearch)),
    createSite: build.mutation(
      creationOf(createSite, (error) =>
        failureReason(
          error,
          error.kind === 'http' ? 'Échec de la création du site.' : "Erreur lors de l'ajout du site.",
        ),
      ),
    ),
    editSite: build.mutation(mutationOf(editSite, 'Échec de la modification.')),
    deleteSite: build.mutation(mutationOf(deleteSite, 'Échec de la suppression.')),
    trustSiteKey: build.mutation(mutationOf(trustSiteKey, 'La nouvelle clé n’a pas pu être acceptée.')),
  }),
});

export const checkFailed = 'Le site n’a pas pu être lu.';

export const checksApi = sitesApi.injectEndpoints({
  endpoints: (build) => ({
    /** Starts a job, which holds the result of the test. */
    testSite: build.mutation(creationOf(testSite)),
    /** Starts WordPress to read the site again; the job may end at once. */
    inspectSite: build.mutation({
      ...mutationOf(readInventory, checkFailed),
      query: (id: string) => callOf(readInventory, { id, fresh: '1' }),
      invalidatesTags: (answer) => (answer && 'job_id' in answer ? [] : readInventory.reads),
    }),
    /** Requests the site's page as a visitor. */
    visitSite: build.mutation({
      ...mutationOf(readHttpStatus),
      query: (id: string) => callOf(readHttpStatus, { id, fresh: '1' }),
    }),
    /** The latest jobs of a site. */
    siteJobs: build.query({
      query: (id: string) => callOf(listJobs, { site_id: id, limit: 20 }),
      transformResponse: ({ items }: { items: JobItem[] }) => items,
      providesTags: ['sites'],
    }),
  }),
});
