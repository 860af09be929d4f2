import { skipToken } from '@reduxjs/toolkit/query';
import { serversApi } from '../features/servers/servers.api';
import { useUser } from './useUser';

const max = 20;

export const useServer = (id: string | undefined) => serversApi.useServerQuery(id ?? skipToken);

/** The first of those that match, for a choice; `owner`: of this person's alone. */
export const useServerSearch = (q: string, owner?: string) =>
  serversApi.useServersQuery(
    { q, sort: 'name', limit: max, offset: 0, owner_id: owner },
    { refetchOnMountOrArgChange: true },
  );

/** The same for what belongs to somebody, or is made by whoever is logged in: in the admin mode there are servers of others. */
export function useFittingServers(q: string, owner: string | undefined) {
  const own = useUser()?.id;
  const { data } = useServerSearch(q, owner ?? own);
  const items = data?.items ?? [];
  return { items, more: data ? data.total - items.length : 0 };
}
