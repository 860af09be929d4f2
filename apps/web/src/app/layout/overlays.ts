import { createSignal } from '../../ui/signal';

/** What lies over the page and is not worth an address: one at a time. */
export const overlay = createSignal<'palette' | 'shortcuts' | 'menu' | null>(null);

export const closeOverlay = (): void => overlay.set(null);
