import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { createSignal, useSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';

type Search = { tache?: string | undefined };
export type DockSize = 'hidden' | 'bar' | 'open';

const sizes: readonly DockSize[] = ['hidden', 'bar', 'open'];
/** There it is a sheet over the page: a reload does not bring it back. */
const isSheet = window.matchMedia('(width < 768px)');
const remembered = isSheet.matches ? undefined : sizes.find((size) => size === readLocal('dock'));
/** Undefined until somebody chose one. */
const chosen = createSignal(remembered);
/** How often somebody asked for it: whoever does wants the focus there. */
export const dockCalls = createSignal(0);

function resizeDock(size: DockSize): void {
  chosen.set(size);
  if (!isSheet.matches) writeLocal('dock', size);
}

export function openDock(): void {
  resizeDock('open');
  dockCalls.set(dockCalls.get() + 1);
}

/** The dock, and the job in it: a job that is shown has an address on every screen, and opens the dock. */
export function useDock(hasJobs: boolean) {
  const navigate = useNavigate();
  const { tache: job } = useSearch({ strict: false });
  const size = useSignal(chosen) ?? (hasJobs ? 'bar' : 'hidden');
  const show = useCallback(
    (id: string | undefined) =>
      void navigate({
        to: '.',
        search: (search: Search) => ({ ...search, tache: id }),
        replace: id === undefined,
        resetScroll: false,
      }),
    [navigate],
  );
  const close = (to: 'bar' | 'hidden') => {
    resizeDock(to);
    if (job !== undefined) show(undefined);
  };
  return { size: job === undefined ? size : ('open' as const), job, show, close };
}
