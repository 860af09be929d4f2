import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Focuses an element that replaces a focused one. */
export function useFocusOnMount<T extends HTMLElement>(isWanted = true): RefObject<T | null> {
  const target = useRef<T>(null);
  const wants = useRef(isWanted);
  useEffect(() => {
    if (wants.current) target.current?.focus();
  }, []);
  return target;
}

/**
 * Returns the focus to the element that had it before this component opened, unless another element received it meanwhile. If
 * that element is gone with its screen, the new screen gets the focus.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isLost = document.activeElement === document.body || document.activeElement === null;
      const nextFocus = opener?.isConnected ? opener : document.querySelector('main');
      if (isLost && nextFocus instanceof HTMLElement) nextFocus.focus({ preventScroll: true });
    },
    [opener],
  );
}

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

/** Returns the focus to a button that was disabled while it worked, unless another element received it meanwhile. */
export function useBusyButtonFocus(): void {
  useEffect(() => {
    const watch = ({ target: button }: FocusEvent) => {
      if (!(button instanceof HTMLButtonElement && button.disabled)) return;
      const observer = new MutationObserver(() => {
        observer.disconnect();
        if (document.activeElement === document.body) button.focus({ preventScroll: true });
      });
      observer.observe(button, { attributeFilter: ['disabled'] });
    };
    document.addEventListener('focusout', watch);
    return () => document.removeEventListener('focusout', watch);
  }, []);
}
