import { useEffect } from 'react';

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
