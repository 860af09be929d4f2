import { useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { failureMessage, reportFailure } from '../../kit/query/failures';
import type { store } from '../../kit/store';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import type { HealthSearch } from './search';
import { type HealthParams, serverHealthApi } from './server-health.api';

export const pageSize = 20;
const pollMs = 60_000;
/** The specification reloads 1.5 s after a refresh: a measurement takes about as long. */
const measureMs = 1_500;

export function useServerHealth(params: HealthParams) {
  const pollingInterval = usePollInterval(serverHealthApi.endpoints.serverHealth.useQueryState(params), pollMs);
  const answer = serverHealthApi.useServerHealthQuery(params, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
  return { answer, sentence: failureMessage(answer.error, 'L’état des serveurs n’a pas pu être lu.') };
}

/** The parameters of the table of all servers. */
export const healthParams = ({ sort = 'name', page = 1, alert }: HealthSearch): HealthParams => ({
  sort,
  limit: pageSize,
  offset: (page - 1) * pageSize,
  ...(alert && { in_alert: '1' }),
  history: '1',
});

/** Measures the shown servers, and loads the results a moment later. */
export function useMeasureAgain(shownParams: readonly HealthParams[]) {
  const dispatch = useDispatch<typeof store.dispatch>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { endpoints, util } = serverHealthApi;
  const refresh = async () => {
    setBusy(true);
    setFailure(undefined);
    const answers = await Promise.all(
      shownParams.map((params) => dispatch(endpoints.measureAgain.initiate({ ...params, history: '0' }))),
    );
    const error = answers.find((answer) => answer.error !== undefined)?.error;
    if (error !== undefined) {
      setBusy(false);
      return setFailure(reportFailure(error, 'Les serveurs n’ont pas pu être mesurés de nouveau.'));
    }
    timer.current = setTimeout(() => {
      setBusy(false);
      dispatch(util.invalidateTags(['server-health']));
    }, measureMs);
  };
  return { isBusy, failure, refresh: () => void refresh() };
}
