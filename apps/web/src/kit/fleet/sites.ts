import { listSites, readSite, testSites } from '@vigie/contracts/sites';
import { api } from '../query/api';
import { creationOf, queryOf } from '../query/endpoints';
import { skipToken } from '@reduxjs/toolkit/query';

/** The sites' feature adds its own calls. */
export const siteCalls = api.injectEndpoints({
  endpoints: (build) => ({
    sites: build.query(queryOf(listSites)),
    site: build.query(queryOf(readSite)),
    /** Tests these sites, or all of them. */
    testSites: build.mutation(creationOf(testSites, 'Les tests n’ont pas pu être lancés.')),
  }),
});

/** One page of matches, for a choice. */
export const useSiteSearch = (q: string, page: number, size: number) =>
  siteCalls.useSitesQuery(
    { q, sort: 'name', limit: size, offset: (page - 1) * size },
    { refetchOnMountOrArgChange: true },
  );

export const useSite = (id: string | undefined) => siteCalls.useSiteQuery(id === undefined ? skipToken : { id });

/** For the tabs of a site, whose page loads it and keeps it fresh. `readAt` is when it was loaded. */
export function useLoadedSite(id: string) {
  const { currentData: site, fulfilledTimeStamp: readAt = 0 } = siteCalls.endpoints.site.useQueryState({ id });
  return { site, readAt };
}
