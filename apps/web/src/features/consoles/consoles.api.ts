import type { Received } from '@vigie/contracts/calls';
import { listConsoles } from '@vigie/contracts/consoles';
import { api } from '../../kit/query/api';
import { queryOf } from '../../kit/query/endpoints';

/** Every page lists the consoles; the other calls load with the terminal. */
export const consolesApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The user's live consoles, oldest first. */
    consoles: build.query({
      ...queryOf(listConsoles),
      transformResponse: ({ items }: Received<typeof listConsoles>) => items,
    }),
  }),
});
