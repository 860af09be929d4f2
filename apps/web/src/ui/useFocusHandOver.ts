import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A line that its new name takes out of the list would take the focus with it: the search that hides it has it then. */
export function useFocusHandOver<T extends HTMLElement>(): RefObject<T | null> {
  const line = useRef<T>(null);
  useLayoutEffect(() => {
    const element = line.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      document.querySelector<HTMLElement>('[data-page-search]')?.focus({ preventScroll: true });
    };
  }, []);
  return line;
}
