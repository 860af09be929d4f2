import { createSignal } from '../../ui/signal';

/** The overlay that is open, if any; it has no address. `updates` is the id of the site whose update plan is shown. */
export const overlay = createSignal<'palette' | 'shortcuts' | 'menu' | { updates: string } | null>(null);

export const closeOverlay = (): void => overlay.set(null);
