import { searchFleet } from '@vigie/contracts/search';
import { api } from '../../kit/query/api';
import { queryOf } from '../../kit/query/endpoints';

export const paletteApi = api.injectEndpoints({
  endpoints: (build) => ({
    // Results go stale quickly: a site may have been deleted since.
    search: build.query({ ...queryOf(searchFleet), keepUnusedDataFor: 5 }),
  }),
});
