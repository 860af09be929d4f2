import { callOf, type Fields, type Received } from '@vigie/contracts/calls';
import { listJobs } from '@vigie/contracts/jobs';
import { readServersHealth } from '@vigie/contracts/server-health';
import {
  createServer,
  deleteServer,
  editServer,
  type listServers,
  readPublicKey,
  readStatuses,
  type Server,
  testServer,
  testServers,
  trustHostKey,
} from '@vigie/contracts/servers';
import { z } from 'zod';
import { errorDetail } from '../../kit/diagnosis/failure';
import { serverQueries } from '../../kit/fleet/servers';
import { isApiError } from '../../kit/query/api-error';
import { creationOf, mutationOf, onSuccess, queryOf } from '../../kit/query/endpoints';
import { failureReason } from '../../kit/query/failures';
import type { store } from '../../kit/store';

/** `offline` counts the matching servers of all pages. */
export type Page = Received<typeof listServers>;
type ServersParams = Fields<typeof listServers>;

const saveFailed = "Échec de l'enregistrement du serveur.";

export const serversApi = serverQueries.injectEndpoints({
  endpoints: (build) => ({
    createServer: build.mutation(creationOf(createServer, saveFailed)),
    editServer: build.mutation(mutationOf(editServer, saveFailed)),
    deleteServer: build.mutation(
      mutationOf(deleteServer, (error) =>
        attachedSites(error) ? undefined : failureReason(error, 'Échec suppression.'),
      ),
    ),
    trustHostKey: build.mutation(mutationOf(trustHostKey, 'La nouvelle clé n’a pas pu être acceptée.')),
    publicKey: build.query(queryOf(readPublicKey)),
  }),
});

type ServerStatuses = Received<typeof readStatuses>;

const isOffline = ({ online }: Pick<Server['status'], 'online'>) => online === false;

/** Writes the statuses into every cached list and page, so that they never disagree. */
function showStatuses(
  dispatch: typeof store.dispatch,
  lists: readonly (ServersParams | void)[],
  statusList: ServerStatuses,
): void {
  const { updateQueryData } = serversApi.util;
  const statuses = new Map(statusList.map(({ id, ...status }) => [id, status]));
  for (const params of lists) {
    dispatch(
      updateQueryData('servers', params, (page) => {
        for (const server of page.items) {
          const status = statuses.get(server.id) ?? server.status;
          page.offline = (page.offline ?? 0) + Number(isOffline(status)) - Number(isOffline(server.status));
          server.status = status;
        }
      }),
    );
  }
  for (const [id, status] of statuses) {
    dispatch(
      updateQueryData('server', { id }, (server) => {
        server.status = status;
      }),
    );
  }
}

export const statusApi = serversApi.injectEndpoints({
  endpoints: (build) => ({
    statuses: build.query({
      ...queryOf(readStatuses),
      keepUnusedDataFor: 0,
      onQueryStarted: (_, cycle) =>
        onSuccess(cycle, (statuses) => {
          const lists = serversApi.util.selectCachedArgsForQuery(cycle.getState(), 'servers');
          showStatuses(cycle.dispatch, lists, statuses);
        }),
    }),
    /** Starts a job, which holds the result of the test. */
    testServer: build.mutation(creationOf(testServer)),
    /** Tests these servers, or all of them. */
    testServers: build.mutation(creationOf(testServers, 'Les tests n’ont pas pu être lancés.')),
    /** The latest jobs of a server. */
    serverJobs: build.query({
      query: (id: string) => callOf(listJobs, { server_id: id, limit: 20 }),
      transformResponse: ({ items }: Received<typeof listJobs>) => items,
      providesTags: ['servers'],
    }),
    /** The load of the last hour. Its polls keep it fresh, so it has no tag. */
    loads: build.query({
      query: (ids: readonly string[]) => callOf(readServersHealth, { history: '1', ids: ids.join(',') }),
      transformResponse: ({ items }: Received<typeof readServersHealth>) => items,
    }),
  }),
});

/** The first sites that use a server, and the count of all. */
const SitesAttached = z
  .object({
    code: z.literal('sites_attached'),
    sites: z.array(z.object({ id: z.string(), name: z.string() })),
    total: z.int().optional(),
  })
  .transform(({ sites, total = sites.length }) => ({ sites, total }));
export type SitesAttached = z.output<typeof SitesAttached>;

/** Reads the sites out of the refusal to delete a server that sites use. */
export const attachedSites = (error: unknown): SitesAttached | undefined =>
  isApiError(error) ? SitesAttached.safeParse(errorDetail(error)).data : undefined;
