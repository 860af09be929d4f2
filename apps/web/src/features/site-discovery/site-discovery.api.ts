import { JobTicket } from '@vigie/contracts/jobs';
import { importSites } from '@vigie/contracts/site-discovery';
import type { z } from 'zod';
import { api } from '../../app/api';

export type Import = z.input<typeof importSites.input>;
export type ImportResult = z.output<typeof importSites.output>;

export const discoveryApi = api.enhanceEndpoints({ addTagTypes: ['sites', 'groups', 'servers'] }).injectEndpoints({
  endpoints: (build) => ({
    discoverSites: build.mutation<JobTicket, { id: string; folder: string; idempotencyKey: string }>({
      query: ({ id, folder, idempotencyKey }) => ({
        path: `/servers/${encodeURIComponent(id)}/discover`,
        method: 'POST',
        body: { folder },
        output: JobTicket,
        idempotencyKey,
      }),
    }),
    importSites: build.mutation<ImportResult, { form: Import; idempotencyKey: string }>({
      query: ({ form, idempotencyKey }) => ({
        path: '/sites/import',
        method: 'POST',
        body: form,
        output: importSites.output,
        idempotencyKey,
      }),
      invalidatesTags: ['sites', 'groups', 'servers'],
    }),
  }),
});
