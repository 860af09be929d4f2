import { z } from 'zod';
import { api } from '../../app/api';

const Console = z.object({
  id: z.string(),
  server_id: z.string(),
  server_name: z.string(),
  server_type: z.enum(['prod', 'dev', 'backup']),
  user: z.string(),
  host: z.string(),
  port: z.int(),
  opened_at: z.string(),
  is_attached: z.boolean(),
});
export type Console = z.infer<typeof Console>;

export const consolesApi = api.enhanceEndpoints({ addTagTypes: ['consoles'] }).injectEndpoints({
  endpoints: (build) => ({
    /** One's own that live, oldest first. */
    consoles: build.query<Console[], void>({
      query: () => ({ path: '/consoles', output: z.object({ items: z.array(Console) }) }),
      transformResponse: ({ items }: { items: Console[] }) => items,
      providesTags: ['consoles'],
    }),
    /** Good for one attach, within half a minute. */
    consoleTicket: build.mutation<{ ticket: string }, string>({
      query: (serverId) => ({
        path: `/servers/${encodeURIComponent(serverId)}/ws-ticket`,
        method: 'POST',
        output: z.object({ ticket: z.string() }),
        patienceMs: 10_000,
      }),
    }),
    endConsole: build.mutation<object, string>({
      query: (id) => ({ path: `/consoles/${encodeURIComponent(id)}`, method: 'DELETE', output: z.object({}) }),
      invalidatesTags: ['consoles'],
    }),
  }),
});
