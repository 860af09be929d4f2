import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { createSignal } from '../../ui/signal';

export type BatchVerb = 'update' | 'backup' | 'test';
/** An action on these sites, whose dialog opens over the current page. */
type Batch = { verb: BatchVerb; siteIds: readonly string[] };

/** The overlay that is open, if any; it has no address. */
export const overlay = createSignal<'palette' | 'shortcuts' | 'menu' | Batch | null>(null);

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
