import { SearchResults } from '@vigie/contracts/search';
import { api } from '../../app/api';

export const paletteApi = api.injectEndpoints({
  endpoints: (build) => ({
    search: build.query<SearchResults, string>({
      query: (q) => ({ path: `/search?${new URLSearchParams({ q }).toString()}`, output: SearchResults }),
      // Results go stale quickly: a site may have been deleted since.
      keepUnusedDataFor: 5,
    }),
  }),
});
