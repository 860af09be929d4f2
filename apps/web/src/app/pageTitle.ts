import { useEffect } from 'react';
import { createSignal } from '../ui/signal';

/** What the screen shows, where its own name says more than its route. */
export const pageTitle = createSignal<string | undefined>(undefined);

export function usePageTitle(title: string): void {
  useEffect(() => {
    pageTitle.set(title);
    return () => pageTitle.set(undefined);
  }, [title]);
}
