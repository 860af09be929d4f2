import { type HealthSort, readServersHealth } from '@vigie/contracts/server-health';
import type { z } from 'zod';
import { api } from '../../app/api';

export type Health = z.infer<typeof readServersHealth.output>;
export type Question = {
  sort: HealthSort;
  limit: number;
  offset: number;
  isInAlert: boolean;
  withHistory: boolean;
};

function queryOf({ sort, limit, offset, isInAlert, withHistory }: Question): string {
  const query = new URLSearchParams({ sort, limit: String(limit), offset: String(offset) });
  if (isInAlert) query.set('in_alert', '1');
  if (withHistory) query.set('history', '1');
  return query.toString();
}

const output = readServersHealth.output;

export const serverHealthApi = api.enhanceEndpoints({ addTagTypes: ['server-health', 'servers'] }).injectEndpoints({
  endpoints: (build) => ({
    serverHealth: build.query<Health, Question>({
      query: (question) => ({ path: `/servers/health?${queryOf(question)}`, output }),
      providesTags: ['server-health', 'servers'],
    }),
    /** Has them looked at, and answers before they were. */
    lookAgain: build.mutation<Health, Question>({
      query: (question) => ({ path: `/servers/health?${queryOf(question)}&fresh=1`, output }),
    }),
  }),
});
