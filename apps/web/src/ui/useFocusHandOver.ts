import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A line that goes would take the focus with it: what it is handed to has it then, of a list the search that hides lines. */
export function useFocusHandOver<T extends HTMLElement>(to = '[data-page-search]'): RefObject<T | null> {
  const line = useRef<T>(null);
  useLayoutEffect(() => {
    const element = line.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      document.querySelector<HTMLElement>(to)?.focus({ preventScroll: true });
    };
  }, [to]);
  return line;
}
