import { skipToken } from '@reduxjs/toolkit/query';
import { isOf } from '../features/groups/tree';
import { serversApi } from '../features/servers/servers.api';
import { useUser } from './useUser';

const most = 20;

export const useServer = (id: string | undefined) => serversApi.useServerQuery(id ?? skipToken);

/** The first of those that match, for a choice. */
export const useServerSearch = (q: string) =>
  serversApi.useServersQuery({ q, sort: 'name', limit: most, offset: 0 }, { refetchOnMountOrArgChange: true });

/** The same for what belongs to somebody, or is made by whoever is logged in: in the admin mode there are servers of others. */
export function useFittingServers(q: string, owner: string | undefined) {
  const { data } = useServerSearch(q);
  const own = useUser()?.id;
  const items = data?.items.filter((server) => isOf(server, owner ?? own)) ?? [];
  return { items, more: data ? data.total - data.items.length : 0 };
}
