import { useEffect, useState } from 'react';

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
