import { JobTicket } from '@vigie/contracts/jobs';
import type { Repair } from '@vigie/contracts/site-repairs';
import { api } from '../../app/api';

const pathOf = (id: string) => `/sites/${encodeURIComponent(id)}/repairs` as const;

export const siteRepairsApi = api.injectEndpoints({
  endpoints: (build) => ({
    checkForRepairs: build.mutation<JobTicket, { id: string; idempotencyKey: string }>({
      query: ({ id, idempotencyKey }) => ({
        path: `${pathOf(id)}/look`,
        method: 'POST',
        output: JobTicket,
        idempotencyKey,
      }),
    }),
    repairSite: build.mutation<JobTicket, { id: string; repair: Repair; idempotencyKey: string }>({
      query: ({ id, repair, idempotencyKey }) => ({
        path: pathOf(id),
        method: 'POST',
        body: { repair },
        output: JobTicket,
        idempotencyKey,
      }),
    }),
  }),
});
