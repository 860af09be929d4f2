import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Panel = 'profile';

/** Opens or closes a panel beside the current screen, with the search parameter `panel`. */
export function useSetPanel(): (panel: Panel | undefined) => void {
  const navigate = useNavigate();
  return useCallback(
    (panel) => void navigate({ to: '.', search: (search: { panel?: Panel | undefined }) => ({ ...search, panel }) }),
    [navigate],
  );
}
