import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { createSignal } from '../../ui/signal';

/** The overlay that is open, if any; it has no address. `updates` is the id of the site whose update plan is shown. */
export const overlay = createSignal<'palette' | 'shortcuts' | 'menu' | { updates: string } | null>(null);

export const closeOverlay = (): void => overlay.set(null);

export type Panel = 'profile';

/** Opens or closes a panel beside the current screen, with the search parameter `panel`. */
export function useSetPanel(): (panel: Panel | undefined) => void {
  const navigate = useNavigate();
  return useCallback(
    (panel) => void navigate({ to: '.', search: (search: { panel?: Panel | undefined }) => ({ ...search, panel }) }),
    [navigate],
  );
}
