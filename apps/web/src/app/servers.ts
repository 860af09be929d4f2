import { skipToken } from '@reduxjs/toolkit/query';
import { serversApi } from '../features/servers/servers.api';
import { useUser } from './useUser';

const max = 20;

export const useServer = (id: string | undefined) => serversApi.useServerQuery(id === undefined ? skipToken : { id });

/** The first matches, for a choice; `owner` limits them to the servers of one person. */
export const useServerSearch = (q: string, owner?: string) =>
  serversApi.useServersQuery(
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
