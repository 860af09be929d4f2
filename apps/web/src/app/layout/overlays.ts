import { createSignal } from '../../ui/signal';

/** What lies over the page and is not worth an address: one at a time. `updates`: the plan of this site. */
export const overlay = createSignal<'palette' | 'shortcuts' | 'menu' | { updates: string } | null>(null);

export const closeOverlay = (): void => overlay.set(null);
