import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { createSignal, useSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';
import { withJobParam } from '../../kit/job/withJobParam';

export type DockSize = 'hidden' | 'bar' | 'open';
export type DockView = 'jobs' | 'consoles';

const sizes: readonly DockSize[] = ['hidden', 'bar', 'open'];
/** On a phone the dock is a sheet over the page, which a reload closes. */
const isSheet = window.matchMedia('(width < 768px)');
const storedSize = isSheet.matches ? undefined : sizes.find((size) => size === readLocal('dock'));
/** Undefined until the user chooses one. */
const chosenSize = createSignal(storedSize);
const chosenView = createSignal<DockView>(readLocal('dock-view') === 'consoles' ? 'consoles' : 'jobs');
/** Counts the times that the dock was opened by hand: each moves the focus into it. */
export const dockFocusRequests = createSignal(0);

function resizeDock(size: DockSize): void {
  chosenSize.set(size);
  if (!isSheet.matches) writeLocal('dock', size);
}

export function openDock(view: DockView): void {
  chosenView.set(view);
  writeLocal('dock-view', view === 'jobs' ? null : view);
  resizeDock('open');
  dockFocusRequests.set(dockFocusRequests.get() + 1);
}

/** The dock and the job it shows. The job is part of the address of every screen, and opens the dock. */
export function useDock(hasContent: boolean) {
  const navigate = useNavigate();
  const { tache: jobId } = useSearch({ strict: false });
  const size = useSignal(chosenSize) ?? (hasContent ? 'bar' : 'hidden');
  const view = useSignal(chosenView);
  const show = useCallback(
    (id: string | undefined) =>
      void navigate({
        to: '.',
        search: withJobParam(id),
        replace: id === undefined,
        resetScroll: false,
      }),
    [navigate],
  );
  const close = (to: 'bar' | 'hidden') => {
    resizeDock(to);
    if (jobId !== undefined) show(undefined);
  };
  const openView = (nextView: DockView) => {
    openDock(nextView);
    if (nextView === 'consoles' && jobId !== undefined) show(undefined);
  };
  const isJob = jobId !== undefined;
  return {
    size: isJob ? ('open' as const) : size,
    view: isJob ? ('jobs' as const) : view,
    job: jobId,
    show,
    openView,
    close,
  };
}
