import { type Console, endConsole, issueTicket, listConsoles } from '@vigie/contracts/consoles';
import { api } from '../../app/api';

export const consolesApi = api.enhanceEndpoints({ addTagTypes: ['consoles'] }).injectEndpoints({
  endpoints: (build) => ({
    /** The user's live consoles, oldest first. */
    consoles: build.query<Console[], void>({
      query: () => ({ path: '/consoles', output: listConsoles.output }),
      transformResponse: ({ items }: { items: Console[] }) => items,
      providesTags: ['consoles'],
    }),
    /** Valid for one connection within 30 seconds. */
    consoleTicket: build.mutation<{ ticket: string }, string>({
      query: (serverId) => ({
        path: `/servers/${encodeURIComponent(serverId)}/ws-ticket`,
        method: 'POST',
        output: issueTicket.output,
        timeoutMs: 10_000,
      }),
    }),
    endConsole: build.mutation<object, string>({
      query: (id) => ({ path: `/consoles/${encodeURIComponent(id)}`, method: 'DELETE', output: endConsole.output }),
      invalidatesTags: ['consoles'],
    }),
  }),
});
