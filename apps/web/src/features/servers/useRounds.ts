import { useEffect, useState, useSyncExternalStore } from 'react';
import { useDispatch } from 'react-redux';
import { useConnection } from '../../app/connection';
import type { store } from '../../app/store';
import { Rounds, type Shown } from './rounds';
import { statusApi } from './servers.api';

const { statuses } = statusApi.endpoints;

const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};
const isHidden = () => document.hidden;

/** Keeps the statuses of the shown servers up to date; `refresh` asks for all of them anew. */
export function useRounds(shown: readonly Shown[]) {
  const dispatch = useDispatch<typeof store.dispatch>();
  const [asked, setAsked] = useState(0);
  const [rounds] = useState(
    () =>
      new Rounds(async (ids, isFresh) => {
        const count = isFresh ? 1 : 0;
        setAsked((others) => others + count);
        const look = statuses.initiate({ ids, isFresh }, { subscribe: false, forceRefetch: true });
        const { data } = await dispatch(look);
        setAsked((others) => others - count);
        return new Map(data?.map(({ id, refreshing }) => [id, refreshing ? 'refreshing' : 'done']));
      }),
  );
  const isUnseen = useSyncExternalStore(onVisibility, isHidden);
  const isPaused = useConnection() !== 'online' || isUnseen;
  useEffect(() => rounds.watch(shown), [rounds, shown]);
  useEffect(() => {
    rounds.pause(isPaused);
    return () => rounds.pause(true);
  }, [rounds, isPaused]);
  return { refresh: () => rounds.refresh(), isRefreshing: asked > 0 };
}
