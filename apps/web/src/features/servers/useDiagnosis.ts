import { useEffect, useEffectEvent, useRef } from 'react';
import { detailsOf, isApiError } from '../../app/api-error';
import { toast } from '../../ui/toasts';
import { failureOf } from './failure';
import { statusApi } from './servers.api';

const { testServer } = statusApi.endpoints;
type Run = ReturnType<ReturnType<typeof testServer.useMutation>[0]>;

/** The test of one server at a time; it ends with the panel that shows it. */
export function useDiagnosis(shownId: string | undefined) {
  const [test, { data, error, originalArgs: id, isLoading, startedTimeStamp, reset }] = testServer.useMutation();
  const current = useRef<Run>(undefined);
  const stop = () => {
    current.current?.abort();
    current.current = undefined;
    reset();
  };
  const run = async (tested: string): Promise<void> => {
    current.current?.abort();
    const running = test(tested);
    current.current = running;
    const answer = await running;
    if (current.current !== running) return;
    if (answer.data) {
      const [first = ''] = answer.data.stdout.trim().split('\n');
      toast.success(first === '' ? 'Connexion OK' : `Connexion OK • ${first}`);
    } else {
      const details = isApiError(answer.error) ? detailsOf(answer.error) : undefined;
      toast.error(failureOf(answer.error).sentence, details);
    }
  };
  const previous = useRef(shownId);
  const end = useEffectEvent(stop);
  useEffect(() => {
    const left = previous.current;
    previous.current = shownId;
    if (left !== undefined && left !== shownId && left === id) end();
  }, [shownId, id]);
  useEffect(() => () => current.current?.abort(), []);
  return { id, data, error, isRunning: isLoading, startedAt: startedTimeStamp, run, stop };
}

export type Diagnosis = ReturnType<typeof useDiagnosis>;
