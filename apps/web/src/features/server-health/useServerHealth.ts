import { useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { failedBy } from '../../app/failed';
import type { store } from '../../app/store';
import { tellFailure } from '../../app/tellFailure';
import { usePace, visibly } from '../../app/usePace';
import type { HealthSearch } from './search';
import { type Question, serverHealthApi } from './server-health.api';

export const size = 20;
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

/** Of the table with all servers, what its address asks for. */
export const pageOf = ({ sort = 'name', page = 1, alert }: HealthSearch): Question => ({
  sort,
  limit: size,
  offset: (page - 1) * size,
  isInAlert: alert === true,
  withHistory: true,
});

/** A new look at the servers that are shown, and a moment later what it saw. */
export function useRefresh(shown: readonly Question[]) {
  const dispatch = useDispatch<typeof store.dispatch>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { endpoints, util } = serverHealthApi;
  const refresh = async () => {
    setBusy(true);
    setFailure(undefined);
    const looks = await Promise.all(
      shown.map((question) => dispatch(endpoints.lookAgain.initiate({ ...question, withHistory: false }))),
    );
    const error = looks.find((look) => look.error !== undefined)?.error;
    if (error !== undefined) {
      setBusy(false);
      return setFailure(tellFailure(error, 'Les serveurs n’ont pas pu être mesurés de nouveau.'));
    }
    timer.current = setTimeout(() => {
      setBusy(false);
      dispatch(util.invalidateTags(['server-health']));
    }, lookMs);
  };
  return { isBusy, failure, refresh: () => void refresh() };
}
