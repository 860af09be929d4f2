import { createSignal } from '../../ui/signal';

/** The job of the last bulk action, until its outcome is hidden or the page is reloaded. */
export const startedBatch = createSignal<string | undefined>(undefined);
