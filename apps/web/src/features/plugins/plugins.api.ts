import { JobTicket } from '@vigie/contracts/jobs';
import { type PluginsRead, readPlugins, readPluginSites } from '@vigie/contracts/plugins';
import type { z } from 'zod';
import { api } from '../../app/api';

const path = '/plugins/overview';

export type Question = Omit<z.input<typeof readPlugins.input>, 'fresh' | 'limit' | 'offset'> & {
  limit: number;
  offset: number;
};
type SitesQuestion = z.input<typeof readPluginSites.input>;
type SitesPage = z.output<typeof readPluginSites.output>;

function queryOf(question: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.toString();
}

export const exportPath = (question: Omit<Question, 'limit' | 'offset' | 'sort'>) =>
  `${path}/export?${queryOf(question)}` as const;

export const pluginsApi = api.enhanceEndpoints({ addTagTypes: ['sites', 'jobs'] }).injectEndpoints({
  endpoints: (build) => ({
    plugins: build.query<PluginsRead, Question>({
      query: (question) => ({ path: `${path}?${queryOf(question)}`, output: readPlugins.output }),
      providesTags: ['sites'],
    }),
    /** What is known, while all sites are being read again. */
    refreshPlugins: build.mutation<PluginsRead, Question>({
      query: (question) => ({ path: `${path}?${queryOf({ ...question, fresh: '1' })}`, output: readPlugins.output }),
      onQueryStarted: (question, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          ({ data }) => void dispatch(pluginsApi.util.upsertQueryData('plugins', question, data)),
          () => undefined,
        );
      },
    }),
    pluginSites: build.query<SitesPage, SitesQuestion>({
      query: ({ slug, ...question }) => ({
        path: `${path}/${encodeURIComponent(slug)}/sites?${queryOf(question)}`,
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
