import { JobTicket } from '@vigie/contracts/jobs';
import { type PluginsRead, readPlugins, readPluginSites } from '@vigie/contracts/plugins';
import type { z } from 'zod';
import { api } from '../../app/api';

const path = '/plugins/overview';

export type PluginsParams = Omit<z.input<typeof readPlugins.input>, 'fresh' | 'limit' | 'offset'> & {
  limit: number;
  offset: number;
};
type PluginSitesParams = z.input<typeof readPluginSites.input>;
type PluginSitesPage = z.output<typeof readPluginSites.output>;

function queryOf(params: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.toString();
}

export const exportPath = (params: Omit<PluginsParams, 'limit' | 'offset' | 'sort'>) =>
  `${path}/export?${queryOf(params)}` as const;

export const pluginsApi = api.enhanceEndpoints({ addTagTypes: ['sites', 'jobs'] }).injectEndpoints({
  endpoints: (build) => ({
    plugins: build.query<PluginsRead, PluginsParams>({
      query: (params) => ({ path: `${path}?${queryOf(params)}`, output: readPlugins.output }),
      providesTags: ['sites'],
    }),
    /** Starts a new scan of all sites; answers at once with the cached overview. */
    refreshPlugins: build.mutation<PluginsRead, PluginsParams>({
      query: (params) => ({ path: `${path}?${queryOf({ ...params, fresh: '1' })}`, output: readPlugins.output }),
      onQueryStarted: (params, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          ({ data }) => void dispatch(pluginsApi.util.upsertQueryData('plugins', params, data)),
          () => undefined,
        );
      },
    }),
    pluginSites: build.query<PluginSitesPage, PluginSitesParams>({
      query: ({ slug, ...params }) => ({
        path: `${path}/${encodeURIComponent(slug)}/sites?${queryOf(params)}`,
        output: readPluginSites.output,
      }),
      providesTags: ['sites'],
    }),
    retryFailures: build.mutation<JobTicket, { group_id: string | undefined; idempotencyKey: string }>({
      query: ({ idempotencyKey, ...body }) => ({
        path: `${path}/retry`,
        method: 'POST',
        body,
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: ['jobs'],
    }),
  }),
});
