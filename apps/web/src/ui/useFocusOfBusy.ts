import { useEffect } from 'react';

/** A button that is put out while it works has the focus again once it is not, unless somebody else took it meanwhile. */
export function useFocusOfBusy(): void {
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
