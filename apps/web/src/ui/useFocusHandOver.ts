import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * When an element with the focus is removed, moves the focus to its nearest ancestor that matches the selector, or else to the
 * first match of the page: by default the search field that filtered the element out.
 */
export function useFocusHandOver<T extends HTMLElement>(to = '[data-page-search]'): RefObject<T | null> {
  const line = useRef<T>(null);
  useLayoutEffect(() => {
    const element = line.current;
    let isHeld = false;
    const hold = () => {
      isHeld = true;
    };
    // A button that is disabled while it works loses the focus without another element receiving it.
    const release = ({ target }: FocusEvent) => {
      isHeld = target instanceof Element && target.matches(':disabled');
    };
    element?.addEventListener('focusin', hold);
    element?.addEventListener('focusout', release);
    return () => {
      const { activeElement, body } = document;
      element?.removeEventListener('focusin', hold);
      element?.removeEventListener('focusout', release);
      if (!element?.contains(activeElement) && !(isHeld && activeElement === body)) return;
      const heir = element?.parentElement?.closest<HTMLElement>(to) ?? document.querySelector<HTMLElement>(to);
      heir?.focus({ preventScroll: true });
    };
  }, [to]);
  return line;
}
