import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * What goes would take the focus with it: what it is handed to has it then, of a list the search that hides lines.
 * What it stands in comes before what is elsewhere on the page.
 */
export function useFocusHandOver<T extends HTMLElement>(to = '[data-page-search]'): RefObject<T | null> {
  const line = useRef<T>(null);
  useLayoutEffect(() => {
    const element = line.current;
    let isHeld = false;
    const hold = () => {
      isHeld = true;
    };
    // A button that is put out while it works has lost the focus to nobody.
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
