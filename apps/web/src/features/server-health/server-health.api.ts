import { callOf, type Fields, type Received } from '@vigie/contracts/calls';
import { readHealthHistory, readServersHealth } from '@vigie/contracts/server-health';
import { api } from '../../kit/query/api';
import { mutationOf, queryOf } from '../../kit/query/endpoints';

export type Health = Received<typeof readServersHealth>;
export type History = Received<typeof readHealthHistory>;
export type HealthParams = Omit<Fields<typeof readServersHealth>, 'fresh'>;

export const serverHealthApi = api.injectEndpoints({
  endpoints: (build) => ({
    healthHistory: build.query(queryOf(readHealthHistory)),
    serverHealth: build.query(queryOf(readServersHealth)),
    /** Starts a measurement and answers before it ends. */
    measureAgain: build.mutation({
      ...mutationOf(readServersHealth),
      query: (params: HealthParams) => callOf(readServersHealth, { ...params, fresh: '1' }),
    }),
  }),
});
