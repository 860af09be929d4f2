import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * When an element with the focus is removed, moves the focus to its nearest ancestor that matches the selector, or else to the
 * first match of the page: by default the search field that filtered the element out.
 */
export function useFocusHandOver<T extends HTMLElement>(to = '[data-page-search]'): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    let hadFocus = false;
    const onFocusIn = () => {
      hadFocus = true;
    };
    // A button that is disabled while it works loses the focus without another element receiving it.
    const onFocusOut = ({ target }: FocusEvent) => {
      hadFocus = target instanceof Element && target.matches(':disabled');
    };
    element?.addEventListener('focusin', onFocusIn);
    element?.addEventListener('focusout', onFocusOut);
    return () => {
      const { activeElement, body } = document;
      element?.removeEventListener('focusin', onFocusIn);
      element?.removeEventListener('focusout', onFocusOut);
      if (!element?.contains(activeElement) && !(hadFocus && activeElement === body)) return;
      const nextFocus = element?.parentElement?.closest<HTMLElement>(to) ?? document.querySelector<HTMLElement>(to);
      nextFocus?.focus({ preventScroll: true });
    };
  }, [to]);
  return ref;
}
