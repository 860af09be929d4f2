import { skipToken } from '@reduxjs/toolkit/query';
import { sitesApi } from '../features/sites/sites.api';

/** One page of matches, for a choice. */
export const useSiteSearch = (q: string, page: number, size: number) =>
  sitesApi.useSitesQuery(
    { q, sort: 'name', limit: size, offset: (page - 1) * size },
    { refetchOnMountOrArgChange: true },
  );

export const useSite = (id: string | undefined) => sitesApi.useSiteQuery(id === undefined ? skipToken : { id });
