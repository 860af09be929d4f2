import { useEffect } from 'react';
import { usePace, visibly } from '../../app/usePace';
import { useSignal } from '../../ui/signal';
import { consolesApi } from './consoles.api';
import { isRestored } from './tabs';

const everyMs = 5_000;

/** Polls until the live consoles are listed once. */
export function useLivingConsoles() {
  const isFound = useSignal(isRestored);
  const pollingInterval = usePace(consolesApi.endpoints.consoles.useQueryState(), everyMs);
  const answer = consolesApi.useConsolesQuery(undefined, { skip: isFound, pollingInterval, ...visibly });
  return { ...answer, isFound };
}

/** Restores the consoles that were open before the page was loaded, on any screen. */
export function useConsolesReturn(): void {
  const { data } = useLivingConsoles();
  useEffect(() => {
    if (isRestored.get() || !data) return;
    if (data.length === 0) isRestored.set(true);
    else {
      import('./sessions').then(
        ({ restore }) => restore(data),
        () => isRestored.set(true),
      );
    }
  }, [data]);
}
