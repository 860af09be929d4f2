import {
  type createSiteView,
  deleteSiteView,
  type editSiteView,
  listSiteViews,
  SiteView,
} from '@vigie/contracts/site-views';
import type { z } from 'zod';
import { api } from '../../app/api';

type Form = z.input<typeof createSiteView.input>;
const pathOf = (id: string) => `/site-views/${encodeURIComponent(id)}` as const;

export const siteViewsApi = api.enhanceEndpoints({ addTagTypes: ['site-views'] }).injectEndpoints({
  endpoints: (build) => ({
    siteViews: build.query<SiteView[], void>({
      query: () => ({ path: '/site-views', output: listSiteViews.output }),
      providesTags: ['site-views'],
    }),
    createSiteView: build.mutation<SiteView, { view: Form; idempotencyKey: string }>({
      query: ({ view, idempotencyKey }) => ({
        path: '/site-views',
        method: 'POST',
        body: view,
        output: SiteView,
        idempotencyKey,
      }),
      invalidatesTags: ['site-views'],
    }),
    editSiteView: build.mutation<SiteView, z.input<typeof editSiteView.input>>({
      query: ({ id, ...changes }) => ({ path: pathOf(id), method: 'PUT', body: changes, output: SiteView }),
      invalidatesTags: ['site-views'],
    }),
    deleteSiteView: build.mutation<object, string>({
      query: (id) => ({ path: pathOf(id), method: 'DELETE', output: deleteSiteView.output }),
      invalidatesTags: ['site-views'],
    }),
  }),
});
