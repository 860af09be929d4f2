import { useEffect } from 'react';
import { createSignal } from './signal';

/** Replaces the title of the route, for example by the name of the site. */
export const pageTitle = createSignal<string | undefined>(undefined);

export function usePageTitle(title: string): void {
  useEffect(() => {
    pageTitle.set(title);
    return () => pageTitle.set(undefined);
  }, [title]);
}
