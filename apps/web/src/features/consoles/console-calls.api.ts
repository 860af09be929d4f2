import { callOf } from '@vigie/contracts/calls';
import { endConsole, issueSiteTicket, issueTicket } from '@vigie/contracts/consoles';
import { api } from '../../kit/query/api';
import { mutationOf } from '../../kit/query/endpoints';
import { failureReason } from '../../kit/query/failures';
import type { Target } from './targets';

export const consoleCalls = api.injectEndpoints({
  endpoints: (build) => ({
    /** Valid for one connection within 30 seconds. */
    consoleTicket: build.mutation({
      ...mutationOf(issueTicket),
      query: ({ id, isSite }: Pick<Target, 'id' | 'isSite'>) => ({
        ...callOf(isSite ? issueSiteTicket : issueTicket, { id }),
        timeoutMs: 10_000,
      }),
    }),
    endConsole: build.mutation(
      mutationOf(endConsole, (error) =>
        // The console is gone already.
        error.status === 404 ? undefined : failureReason(error, 'La console n’a pas pu être fermée. Réessayez.'),
      ),
    ),
  }),
});
