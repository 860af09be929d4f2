import { applyUpdates, type Item, Plan, type planUpdates } from '@vigie/contracts/changes';
import { isFinal, type JobItem, JobTicket, listJobs } from '@vigie/contracts/jobs';
import type { z } from 'zod';
import { api } from '../../app/api';
import { noteEnds } from './ends';
import type { Order } from './orders';

type Creation<Form> = Form & { idempotencyKey: string };
type OnSites = { upload: string; sites: readonly string[] };

/** More jobs than one site ever has open. */
const max = 100;
const stale = ['jobs', 'changes'] as const;

const ofSite = (id: string) => `/sites/${encodeURIComponent(id)}` as const;
const ofUpload = (id: string) => `/uploads/${encodeURIComponent(id)}/install` as const;
/** The path segments of the kinds. */
const folders = { core: 'core', plugin: 'plugins', theme: 'themes' } as const;

export const changesApi = api.enhanceEndpoints({ addTagTypes: ['jobs', 'changes', 'sites'] }).injectEndpoints({
  endpoints: (build) => ({
    /** Newest first, including the jobs of batches. */
    siteChanges: build.query<readonly JobItem[], string>({
      query: (site) => ({ path: `/jobs?site_id=${encodeURIComponent(site)}&limit=${max}`, output: listJobs.output }),
      transformResponse: ({ items }: { items: JobItem[] }) => items.filter(({ kind }) => kind.startsWith('changes.')),
      providesTags: (_, __, id) => [{ type: 'changes', id }],
      onQueryStarted: (site, { dispatch, queryFulfilled, ...store }) => {
        const before = changesApi.endpoints.siteChanges.select(site)(store.getState() as never).data;
        const wasOver = new Set(before?.filter(({ state }) => isFinal(state)).map(({ id }) => id));
        const follow = ({ data }: { data: readonly JobItem[] }) => {
          const ended = before ? data.filter(({ id, state }) => isFinal(state) && !wasOver.has(id)) : [];
          if (ended.length === 0) return;
          noteEnds(ended);
          dispatch(api.util.invalidateTags(['sites'] as never[]));
        };
        queryFulfilled.then(follow, () => undefined);
      },
    }),
    change: build.mutation<JobTicket, Creation<{ site: string; order: Order }>>({
      query: ({ site, order: { verb, kind, body }, idempotencyKey }) => ({
        path: `${ofSite(site)}/${folders[kind]}/${verb}`,
        method: 'POST',
        body,
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: stale,
    }),
    updateItems: build.mutation<JobTicket, Creation<{ site: string; items: readonly Item[] }>>({
      query: ({ site, items, idempotencyKey }) => ({
        path: `${ofSite(site)}/updates`,
        method: 'POST',
        body: { items },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: stale,
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
      invalidatesTags: stale,
    }),
    planInstalls: build.query<Plan, OnSites>({
      query: ({ upload, sites }) => ({
        path: `${ofUpload(upload)}/plan`,
        method: 'POST',
        body: { site_ids: sites },
        output: Plan,
      }),
      keepUnusedDataFor: 0,
    }),
    applyInstalls: build.mutation<JobTicket, Creation<OnSites & { activate: boolean }>>({
      query: ({ upload, sites, activate, idempotencyKey }) => ({
        path: ofUpload(upload),
        method: 'POST',
        body: { site_ids: sites, activate },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: stale,
    }),
  }),
});
