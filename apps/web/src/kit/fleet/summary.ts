import { readSummary } from '@vigie/contracts/dashboard';
import { api } from '../query/api';
import { queryOf } from '../query/endpoints';

/** The dashboard adds its own calls. */
export const summaryQueries = api.injectEndpoints({
  endpoints: (build) => ({ summary: build.query(queryOf(readSummary)) }),
});
