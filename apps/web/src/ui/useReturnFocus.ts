import { useEffect, useState } from 'react';

/** What had the focus when this came up has it again when this goes, unless somebody else took it meanwhile. */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isLost = document.activeElement === document.body || document.activeElement === null;
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    },
    [opener],
  );
}
