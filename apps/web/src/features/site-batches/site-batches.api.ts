import { JobTicket } from '@vigie/contracts/jobs';
import {
  type backupSites,
  deleteSites,
  groupSites,
  type planSiteBatch,
  SiteBatchPlan,
} from '@vigie/contracts/site-batches';
import type { testSites } from '@vigie/contracts/sites';
import type { z } from 'zod';
import { api } from '../../app/api';

type Ask<C extends { input: z.ZodType }> = z.input<C['input']> & { idempotencyKey: string };
type Count = z.output<typeof groupSites.output>;

const post = <O extends z.ZodType>(
  path: `/${string}`,
  output: O,
  { idempotencyKey, ...body }: { idempotencyKey: string },
) => ({ path, method: 'POST', body, output, idempotencyKey }) as const;

export const siteBatchesApi = api
  .enhanceEndpoints({ addTagTypes: ['sites', 'groups', 'servers', 'jobs'] })
  .injectEndpoints({
    endpoints: (build) => ({
      planSiteBatch: build.query<SiteBatchPlan, z.input<typeof planSiteBatch.input>>({
        query: (body) => ({ path: '/sites/batches/plan', method: 'POST', body, output: SiteBatchPlan }),
        keepUnusedDataFor: 0,
      }),
      testChosen: build.mutation<JobTicket, Ask<typeof testSites>>({
        query: (asked) => post('/sites/test', JobTicket, asked),
        invalidatesTags: ['jobs'],
      }),
      backupSites: build.mutation<JobTicket, Ask<typeof backupSites>>({
        query: (asked) => post('/sites/batches/backup', JobTicket, asked),
        invalidatesTags: ['jobs'],
      }),
      groupSites: build.mutation<Count, Ask<typeof groupSites>>({
        query: (asked) => post('/sites/batches/group', groupSites.output, asked),
        invalidatesTags: ['sites', 'groups'],
      }),
      deleteSites: build.mutation<Count, Ask<typeof deleteSites>>({
        query: (asked) => post('/sites/batches/delete', deleteSites.output, asked),
        invalidatesTags: ['sites', 'groups', 'servers'],
      }),
    }),
  });
