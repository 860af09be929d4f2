import { useEffect, useState, useSyncExternalStore } from 'react';
import { useDispatch } from 'react-redux';
import { useConnection } from '../../app/connection';
import type { store } from '../../app/store';
import { Rounds } from './rounds';
import { statusApi } from './servers.api';

const { serverStatus } = statusApi.endpoints;

const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};
const isHidden = () => document.hidden;

/** Keeps the statuses of the shown servers up to date; `refresh` asks for all of them anew. */
export function useRounds(shown: readonly string[]) {
  const dispatch = useDispatch<typeof store.dispatch>();
  const [asked, setAsked] = useState(0);
  const [rounds] = useState(
    () =>
      new Rounds(async (id, isFresh) => {
        const count = isFresh ? 1 : 0;
        setAsked((others) => others + count);
        const look = serverStatus.initiate({ id, isFresh }, { subscribe: false, forceRefetch: true });
        const { data } = await dispatch(look);
        setAsked((others) => others - count);
        if (!data) return 'failed';
        return data.refreshing ? 'refreshing' : 'done';
      }),
  );
  const isUnseen = useSyncExternalStore(onVisibility, isHidden);
  const isPaused = useConnection() !== 'online' || isUnseen;
  const ids = shown.join(' ');
  useEffect(() => rounds.watch(ids === '' ? [] : ids.split(' ')), [rounds, ids]);
  useEffect(() => {
    rounds.pause(isPaused);
    return () => rounds.pause(true);
  }, [rounds, isPaused]);
  return { refresh: () => rounds.refresh(), isRefreshing: asked > 0 };
}
