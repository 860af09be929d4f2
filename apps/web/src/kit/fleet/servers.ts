import { listServers, readServer } from '@vigie/contracts/servers';
import { api } from '../query/api';
import { queryOf } from '../query/endpoints';
import { skipToken } from '@reduxjs/toolkit/query';
import { useUser } from './users';

/** The servers' feature adds its own calls. */
export const serverQueries = api.injectEndpoints({
  endpoints: (build) => ({
    servers: build.query(queryOf(listServers)),
    server: build.query(queryOf(readServer)),
  }),
});

const max = 20;

export const useServer = (id: string | undefined) =>
  serverQueries.useServerQuery(id === undefined ? skipToken : { id });

/** The first matches, for a choice; `owner` limits them to the servers of one person. */
export const useServerSearch = (q: string, owner?: string) =>
  serverQueries.useServersQuery(
    { q, sort: 'name', limit: max, offset: 0, owner_id: owner },
    { refetchOnMountOrArgChange: true },
  );

/** Matches of this owner, or else of the current user: admin mode also lists the servers of other people. */
export function useAssignableServers(q: string, owner: string | undefined) {
  const userId = useUser()?.id;
  const { data } = useServerSearch(q, owner ?? userId);
  const items = data?.items ?? [];
  return { items, more: data ? data.total - items.length : 0 };
}
