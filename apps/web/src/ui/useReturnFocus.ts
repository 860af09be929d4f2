import { useEffect, useState } from 'react';

/**
 * What had the focus when this came up has it again when this goes, unless somebody else took it meanwhile. Where a new
 * screen has taken the place of what had it, that is read from its start.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isLost = document.activeElement === document.body || document.activeElement === null;
      const heir = opener?.isConnected ? opener : document.querySelector('main');
      if (isLost && heir instanceof HTMLElement) heir.focus({ preventScroll: true });
    },
    [opener],
  );
}
