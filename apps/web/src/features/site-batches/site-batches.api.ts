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

type Keyed<C extends { input: z.ZodType }> = z.input<C['input']> & { idempotencyKey: string };
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
      testSelectedSites: build.mutation<JobTicket, Keyed<typeof testSites>>({
        query: (form) => post('/sites/test', JobTicket, form),
        invalidatesTags: ['jobs'],
      }),
      backupSites: build.mutation<JobTicket, Keyed<typeof backupSites>>({
        query: (form) => post('/sites/batches/backup', JobTicket, form),
        invalidatesTags: ['jobs'],
      }),
      groupSites: build.mutation<Count, Keyed<typeof groupSites>>({
        query: (form) => post('/sites/batches/group', groupSites.output, form),
        invalidatesTags: ['sites', 'groups'],
      }),
      deleteSites: build.mutation<Count, Keyed<typeof deleteSites>>({
        query: (form) => post('/sites/batches/delete', deleteSites.output, form),
        invalidatesTags: ['sites', 'groups', 'servers'],
      }),
    }),
  });
