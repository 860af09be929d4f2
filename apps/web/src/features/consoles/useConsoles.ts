import { useEffect } from 'react';
import { consolesApi } from './consoles.api';
import { isRestored } from './tabs';

/** Those that lived before this page was loaded come back, whatever screen it shows. */
export function useConsolesReturn(): void {
  const { data, isError } = consolesApi.useConsolesQuery(undefined, { skip: isRestored.get() });
  useEffect(() => {
    if (isRestored.get()) return;
    if (data && data.length > 0) {
      import('./sessions').then(
        ({ restore }) => restore(data),
        () => isRestored.set(true),
      );
    } else if (data || isError) isRestored.set(true);
  }, [data, isError]);
}
