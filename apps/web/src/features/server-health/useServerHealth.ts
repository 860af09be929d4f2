import { useEffect, useRef, useState } from 'react';
import { useDispatch, useStore } from 'react-redux';
import { failedBy } from '../../app/failed';
import type { store } from '../../app/store';
import { usePace, visibly } from '../../app/usePace';
import { type Question, serverHealthApi } from './server-health.api';

const everyMs = 60_000;
/** A look takes about as long. */
const lookMs = 1_500;

export function useServerHealth(question: Question) {
  const pollingInterval = usePace(serverHealthApi.endpoints.serverHealth.useQueryState(question), everyMs);
  const answer = serverHealthApi.useServerHealthQuery(question, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...visibly,
  });
  return { answer, sentence: failedBy(answer.error, 'L’état des serveurs n’a pas pu être lu.') };
}

/** A new look at all servers that are shown, and a moment later what it saw. */
export function useRefresh() {
  const dispatch = useDispatch<typeof store.dispatch>();
  const state = useStore<ReturnType<typeof store.getState>>();
  const [isBusy, setBusy] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { endpoints, util } = serverHealthApi;
  const refresh = async () => {
    setBusy(true);
    const shown = util.selectCachedArgsForQuery(state.getState(), 'serverHealth');
    await Promise.all(
      shown.map((question) => dispatch(endpoints.lookAgain.initiate({ ...question, withHistory: false }))),
    );
    timer.current = setTimeout(() => {
      setBusy(false);
      dispatch(util.invalidateTags(['server-health']));
    }, lookMs);
  };
  return { isBusy, refresh: () => void refresh() };
}
