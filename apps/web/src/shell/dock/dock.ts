import { createSignal, useSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';

export type DockSize = 'hidden' | 'bar' | 'open';

const sizes: readonly DockSize[] = ['hidden', 'bar', 'open'];
/** On a phone the dock is a sheet over the page, which a reload closes. */
const isSheet = window.matchMedia('(width < 768px)');
const storedSize = isSheet.matches ? undefined : sizes.find((size) => size === readLocal('dock'));
/** Undefined until the user chooses one. */
const chosenSize = createSignal(storedSize);
/** Counts the times that the consoles were opened by hand: each moves the focus into them. */
export const dockFocusRequests = createSignal(0);

export function resizeDock(size: DockSize): void {
  chosenSize.set(size);
  if (!isSheet.matches) writeLocal('dock', size);
}

/** Opens the dock, whose bar has the newest job and whose body the consoles. */
export function openConsoles(): void {
  resizeDock('open');
  dockFocusRequests.set(dockFocusRequests.get() + 1);
}

export const useDockSize = (hasContent: boolean): DockSize => useSignal(chosenSize) ?? (hasContent ? 'bar' : 'hidden');
