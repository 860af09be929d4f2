import { type HealthSort, readServersHealth } from '@vigie/contracts/server-health';
import type { z } from 'zod';
import { api } from '../../app/api';

export type Health = z.infer<typeof readServersHealth.output>;
export type HealthParams = {
  sort: HealthSort;
  limit: number;
  offset: number;
  isInAlert: boolean;
  withHistory: boolean;
};

function queryOf({ sort, limit, offset, isInAlert, withHistory }: HealthParams): string {
  const query = new URLSearchParams({ sort, limit: String(limit), offset: String(offset) });
  if (isInAlert) query.set('in_alert', '1');
  if (withHistory) query.set('history', '1');
  return query.toString();
}

const output = readServersHealth.output;

export const serverHealthApi = api.enhanceEndpoints({ addTagTypes: ['server-health', 'servers'] }).injectEndpoints({
  endpoints: (build) => ({
    serverHealth: build.query<Health, HealthParams>({
      query: (params) => ({ path: `/servers/health?${queryOf(params)}`, output }),
      providesTags: ['server-health', 'servers'],
    }),
    /** Starts a measurement and answers before it ends. */
    measureAgain: build.mutation<Health, HealthParams>({
      query: (params) => ({ path: `/servers/health?${queryOf(params)}&fresh=1`, output }),
    }),
  }),
});
