import { applyUpdates, type Item, Plan, type planUpdates } from '@vigie/contracts/changes';
import { isFinal, type JobItem, JobTicket, listJobs } from '@vigie/contracts/jobs';
import type { z } from 'zod';
import { api } from '../../app/api';
import { recordEnds } from './ended-jobs';
import type { ChangeRequest } from './change-requests';

type Creation<Form> = Form & { idempotencyKey: string };
type InstallTargets = { uploadId: string; siteIds: readonly string[] };

/** More jobs than one site ever has open. */
const max = 100;
const staleTags = ['jobs', 'changes'] as const;

const sitePath = (siteId: string) => `/sites/${encodeURIComponent(siteId)}` as const;
const uploadPath = (id: string) => `/uploads/${encodeURIComponent(id)}/install` as const;
/** The path segments of the kinds. */
const kindPaths = { core: 'core', plugin: 'plugins', theme: 'themes' } as const;

export const changesApi = api.enhanceEndpoints({ addTagTypes: ['jobs', 'changes', 'sites'] }).injectEndpoints({
  endpoints: (build) => ({
    /** Newest first, including the jobs of batches. */
    siteChanges: build.query<readonly JobItem[], string>({
      query: (siteId) => ({
        path: `/jobs?site_id=${encodeURIComponent(siteId)}&limit=${max}`,
        output: listJobs.output,
      }),
      transformResponse: ({ items }: { items: JobItem[] }) => items.filter(({ kind }) => kind.startsWith('changes.')),
      providesTags: (_, __, id) => [{ type: 'changes', id }],
      onQueryStarted: (siteId, { dispatch, queryFulfilled, ...store }) => {
        const before = changesApi.endpoints.siteChanges.select(siteId)(store.getState() as never).data;
        const endedIds = new Set(before?.filter(({ state }) => isFinal(state)).map(({ id }) => id));
        const follow = ({ data }: { data: readonly JobItem[] }) => {
          const ended = before ? data.filter(({ id, state }) => isFinal(state) && !endedIds.has(id)) : [];
          if (ended.length === 0) return;
          recordEnds(ended);
          dispatch(api.util.invalidateTags(['sites'] as never[]));
        };
        queryFulfilled.then(follow, () => undefined);
      },
    }),
    change: build.mutation<JobTicket, Creation<{ siteId: string; request: ChangeRequest }>>({
      query: ({ siteId, request: { verb, kind, body }, idempotencyKey }) => ({
        path: `${sitePath(siteId)}/${kindPaths[kind]}/${verb}`,
        method: 'POST',
        body,
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: staleTags,
    }),
    updateItems: build.mutation<JobTicket, Creation<{ siteId: string; items: readonly Item[] }>>({
      query: ({ siteId, items, idempotencyKey }) => ({
        path: `${sitePath(siteId)}/updates`,
        method: 'POST',
        body: { items },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: staleTags,
    }),
  }),
});

export const plansApi = changesApi.injectEndpoints({
  endpoints: (build) => ({
    planUpdates: build.query<Plan, z.input<typeof planUpdates.input>>({
      query: (body) => ({ path: '/updates/plan', method: 'POST', body, output: Plan }),
      keepUnusedDataFor: 0,
    }),
    applyUpdates: build.mutation<JobTicket, Creation<z.input<typeof applyUpdates.input>>>({
      query: ({ targets, idempotencyKey }) => ({
        path: '/updates',
        method: 'POST',
        body: { targets },
        output: applyUpdates.output,
        idempotencyKey,
      }),
      invalidatesTags: staleTags,
    }),
    planInstalls: build.query<Plan, InstallTargets>({
      query: ({ uploadId, siteIds }) => ({
        path: `${uploadPath(uploadId)}/plan`,
        method: 'POST',
        body: { site_ids: siteIds },
        output: Plan,
      }),
      keepUnusedDataFor: 0,
    }),
    applyInstalls: build.mutation<JobTicket, Creation<InstallTargets & { activate: boolean }>>({
      query: ({ uploadId, siteIds, activate, idempotencyKey }) => ({
        path: uploadPath(uploadId),
        method: 'POST',
        body: { site_ids: siteIds, activate },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: staleTags,
    }),
  }),
});
