import { endConsole, issueTicket, listConsoles } from '@vigie/contracts/consoles';
import { api } from '../../kit/query/api';
import { failureReason } from '../../kit/query/failures';
import { callOf, mutationOf, queryOf, type Received } from '../../kit/query/endpoints';

export const consolesApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The user's live consoles, oldest first. */
    consoles: build.query({
      ...queryOf(listConsoles),
      transformResponse: ({ items }: Received<typeof listConsoles>) => items,
    }),
    /** Valid for one connection within 30 seconds. */
    consoleTicket: build.mutation({
      ...mutationOf(issueTicket),
      query: (serverId: string) => ({ ...callOf(issueTicket, { id: serverId }), timeoutMs: 10_000 }),
    }),
    endConsole: build.mutation(
      mutationOf(endConsole, (error) =>
        // The console is gone already.
        error.status === 404 ? undefined : failureReason(error, 'La console n’a pas pu être fermée. Réessayez.'),
      ),
    ),
  }),
});
