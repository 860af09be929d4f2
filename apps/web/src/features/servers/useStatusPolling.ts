import { useEffect, useState, useSyncExternalStore } from 'react';
import { useDispatch } from 'react-redux';
import { useConnection } from '../../kit/query/connection';
import type { store } from '../../kit/store';
import { StatusPoller, type WatchedServer } from './status-poller';
import { statusApi } from './servers.api';

const { statuses } = statusApi.endpoints;

const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};
const isHidden = () => document.hidden;

/** Keeps the statuses of the shown servers up to date; `refresh` checks all of them now. */
export function useStatusPolling(servers: readonly WatchedServer[]) {
  const dispatch = useDispatch<typeof store.dispatch>();
  const [refreshCount, setRefreshCount] = useState(0);
  const [poller] = useState(
    () =>
      new StatusPoller(async (ids, isFresh) => {
        const count = isFresh ? 1 : 0;
        setRefreshCount((others) => others + count);
        const request = statuses.initiate(
          { ids: ids.join(','), fresh: isFresh ? '1' : '0' },
          { subscribe: false, forceRefetch: true },
        );
        const { data } = await dispatch(request);
        setRefreshCount((others) => others - count);
        return new Map(data?.map(({ id, refreshing }) => [id, refreshing ? 'refreshing' : 'done']));
      }),
  );
  const isTabHidden = useSyncExternalStore(onVisibility, isHidden);
  const isPaused = useConnection() !== 'online' || isTabHidden;
  useEffect(() => poller.watch(servers), [poller, servers]);
  useEffect(() => {
    poller.pause(isPaused);
    return () => poller.pause(true);
  }, [poller, isPaused]);
  return { refresh: () => poller.refresh(), isRefreshing: refreshCount > 0 };
}
