import { skipToken } from '@reduxjs/toolkit/query';
import { serversApi } from '../features/servers/servers.api';

const most = 20;

export const useServer = (id: string | undefined) => serversApi.useServerQuery(id ?? skipToken);

/** The first of those that match, for a choice. */
export const useServerSearch = (q: string) =>
  serversApi.useServersQuery({ q, sort: 'name', limit: most, offset: 0 }, { refetchOnMountOrArgChange: true });
