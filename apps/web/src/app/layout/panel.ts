import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Panel = 'profile';

/** Opens a panel on whatever screen is shown, or closes it: its address is the screen's, with `panel`. */
export function useSetPanel(): (panel: Panel | undefined) => void {
  const navigate = useNavigate();
  return useCallback(
    (panel) => void navigate({ to: '.', search: (search: { panel?: Panel | undefined }) => ({ ...search, panel }) }),
    [navigate],
  );
}
