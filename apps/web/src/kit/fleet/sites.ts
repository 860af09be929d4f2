import { listSites, readSite } from '@vigie/contracts/sites';
import { api } from '../query/api';
import { queryOf } from '../query/endpoints';
import { skipToken } from '@reduxjs/toolkit/query';

/** The sites' feature adds its own calls. */
export const siteQueries = api.injectEndpoints({
  endpoints: (build) => ({
    sites: build.query(queryOf(listSites)),
    site: build.query(queryOf(readSite)),
  }),
});

/** One page of matches, for a choice. */
export const useSiteSearch = (q: string, page: number, size: number) =>
  siteQueries.useSitesQuery(
    { q, sort: 'name', limit: size, offset: (page - 1) * size },
    { refetchOnMountOrArgChange: true },
  );

export const useSite = (id: string | undefined) => siteQueries.useSiteQuery(id === undefined ? skipToken : { id });
