import { SearchResults } from '@vigie/contracts/search';
import { api } from '../../app/api';

export const paletteApi = api.injectEndpoints({
  endpoints: (build) => ({
    search: build.query<SearchResults, string>({
      query: (q) => ({ path: `/search?${new URLSearchParams({ q }).toString()}`, output: SearchResults }),
      // What is looked for again is asked for again: it may be gone.
      keepUnusedDataFor: 5,
    }),
  }),
});
