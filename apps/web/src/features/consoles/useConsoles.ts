import { useEffect } from 'react';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { useSignal } from '../../ui/signal';
import { consolesApi } from './consoles.api';
import { isRestored } from './tabs';

const pollMs = 5_000;

/** Polls until the live consoles are listed once. */
export function useLiveConsoles() {
  const isListed = useSignal(isRestored);
  const pollingInterval = usePollInterval(consolesApi.endpoints.consoles.useQueryState(), pollMs);
  const answer = consolesApi.useConsolesQuery(undefined, { skip: isListed, pollingInterval, ...whileVisible });
  return { ...answer, isListed };
}

/** Restores the consoles that were open before the page was loaded, on any screen. */
export function useRestoreConsoles(): void {
  const { data } = useLiveConsoles();
  useEffect(() => {
    if (isRestored.get() || !data) return;
    if (data.length === 0) isRestored.set(true);
    else {
      import('./sessions').then(
        ({ restoreTabs }) => restoreTabs(data),
        () => isRestored.set(true),
      );
    }
  }, [data]);
}
