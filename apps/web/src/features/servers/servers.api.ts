import { JobTicket } from '@vigie/contracts/jobs';
import { type HealthItem, readServersHealth } from '@vigie/contracts/server-health';
import {
  type CreateServer,
  deleteServer,
  type EditServer,
  listServers,
  readPublicKey,
  Server,
  readStatuses,
} from '@vigie/contracts/servers';
import type { z } from 'zod';
import { api } from '../../app/api';
import type { store } from '../../app/store';

/** `offline` counts the matching servers of all pages. */
export type Page = { items: Server[]; total: number; offline: number };
type ServersParams = Pick<z.input<typeof listServers.input>, 'q' | 'sort' | 'group_id' | 'owner_id'> & {
  limit: number;
  offset: number;
};
type Creation = { server: CreateServer; idempotencyKey: string };

const Servers = listServers.output.shape.items;

const pathOf = (id: string) => `/servers/${encodeURIComponent(id)}` as const;

function queryOf({ limit, offset, q, sort, group_id: groupId, owner_id: ownerId }: ServersParams): string {
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  if (q) query.set('q', q);
  if (sort) query.set('sort', sort);
  if (groupId) query.set('group_id', groupId);
  if (ownerId) query.set('owner_id', ownerId);
  return query.toString();
}

export const serversApi = api.enhanceEndpoints({ addTagTypes: ['servers', 'groups', 'sites'] }).injectEndpoints({
  endpoints: (build) => ({
    servers: build.query<Page, ServersParams>({
      query: (params) => ({ path: `/servers?${queryOf(params)}`, output: Servers }),
      transformResponse: (items: Server[], meta) => ({
        items,
        total: meta?.total ?? items.length,
        offline: meta?.offline ?? 0,
      }),
      providesTags: ['servers'],
    }),
    server: build.query<Server, string>({
      query: (id) => ({ path: pathOf(id), output: Server }),
      providesTags: ['servers'],
    }),
    createServer: build.mutation<Server, Creation>({
      query: ({ server, idempotencyKey }) => ({
        path: '/servers',
        method: 'POST',
        body: server,
        output: Server,
        idempotencyKey,
      }),
      invalidatesTags: ['servers', 'groups'],
    }),
    editServer: build.mutation<Server, EditServer>({
      query: ({ id, ...changes }) => ({ path: pathOf(id), method: 'PUT', body: changes, output: Server }),
      invalidatesTags: ['servers', 'groups', 'sites'],
    }),
    deleteServer: build.mutation<object, { id: string; isForced: boolean }>({
      query: ({ id, isForced }) => ({
        path: `${pathOf(id)}${isForced ? '?force=1' : ''}`,
        method: 'DELETE',
        output: deleteServer.output,
      }),
      invalidatesTags: ['servers', 'groups', 'sites'],
    }),
    trustHostKey: build.mutation<Server, { id: string; fingerprint: string }>({
      query: ({ id, fingerprint }) => ({
        path: `${pathOf(id)}/trust`,
        method: 'POST',
        body: { fingerprint },
        output: Server,
      }),
      invalidatesTags: ['servers'],
    }),
    publicKey: build.query<{ pubkey: string }, string>({
      query: (id) => ({ path: `${pathOf(id)}/pubkey`, output: readPublicKey.output }),
      providesTags: ['servers'],
    }),
  }),
});

type ServerStatuses = z.infer<typeof readStatuses.output>;

const isOffline = ({ online }: Pick<Server['status'], 'online'>) => online === false;

/** Writes the statuses into every cached list and panel, so that they never disagree. */
function showStatuses(
  dispatch: typeof store.dispatch,
  lists: readonly ServersParams[],
  statusList: ServerStatuses,
): void {
  const { updateQueryData } = serversApi.util;
  const statuses = new Map(statusList.map(({ id, ...status }) => [id, status]));
  for (const params of lists) {
    dispatch(
      updateQueryData('servers', params, (page) => {
        for (const server of page.items) {
          const status = statuses.get(server.id) ?? server.status;
          page.offline += Number(isOffline(status)) - Number(isOffline(server.status));
          server.status = status;
        }
      }),
    );
  }
  for (const [id, status] of statuses) {
    dispatch(
      updateQueryData('server', id, (server) => {
        server.status = status;
      }),
    );
  }
}

export const statusApi = serversApi.injectEndpoints({
  endpoints: (build) => ({
    statuses: build.query<ServerStatuses, { ids: readonly string[]; isFresh: boolean }>({
      query: ({ ids, isFresh }) => ({
        path: `/servers/statuses?ids=${ids.join(',')}${isFresh ? '&fresh=1' : ''}`,
        output: readStatuses.output,
      }),
      keepUnusedDataFor: 0,
      onQueryStarted: (_, cycle) => {
        const applyStatuses = ({ data }: { data: ServerStatuses }) =>
          showStatuses(cycle.dispatch, serversApi.util.selectCachedArgsForQuery(cycle.getState(), 'servers'), data);
        cycle.queryFulfilled.then(applyStatuses, () => undefined);
      },
    }),
    /** Starts a job, which holds the result of the test. */
    testServer: build.mutation<JobTicket, { id: string; idempotencyKey: string }>({
      query: ({ id, idempotencyKey }) => ({
        path: `${pathOf(id)}/test`,
        method: 'POST',
        output: JobTicket,
        idempotencyKey,
      }),
    }),
    /** Tests these servers, or all of them. */
    testServers: build.mutation<JobTicket, { ids?: readonly string[]; idempotencyKey: string }>({
      query: ({ idempotencyKey, ...body }) => ({
        path: '/servers/test',
        method: 'POST',
        body,
        output: JobTicket,
        idempotencyKey,
      }),
    }),
    /** The load of the last hour. */
    loads: build.query<readonly HealthItem[], readonly string[]>({
      query: (ids) => ({ path: `/servers/health?history=1&ids=${ids.join(',')}`, output: readServersHealth.output }),
      transformResponse: ({ items }: { items: HealthItem[] }) => items,
    }),
  }),
});
