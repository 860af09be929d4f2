import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { createSignal, useSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';
import { atJob } from '../atJob';

export type DockSize = 'hidden' | 'bar' | 'open';
export type DockView = 'jobs' | 'consoles';

const sizes: readonly DockSize[] = ['hidden', 'bar', 'open'];
/** On a phone the dock is a sheet over the page, which a reload closes. */
const isSheet = window.matchMedia('(width < 768px)');
const remembered = isSheet.matches ? undefined : sizes.find((size) => size === readLocal('dock'));
/** Undefined until the user chooses one. */
const chosen = createSignal(remembered);
const viewed = createSignal<DockView>(readLocal('dock-view') === 'consoles' ? 'consoles' : 'jobs');
/** Counts the times that the dock was opened by hand: each moves the focus into it. */
export const dockCalls = createSignal(0);

function resizeDock(size: DockSize): void {
  chosen.set(size);
  if (!isSheet.matches) writeLocal('dock', size);
}

export function openDock(view: DockView): void {
  viewed.set(view);
  writeLocal('dock-view', view === 'jobs' ? null : view);
  resizeDock('open');
  dockCalls.set(dockCalls.get() + 1);
}

/** The dock and the job it shows. The job is part of the address of every screen, and opens the dock. */
export function useDock(hasSomething: boolean) {
  const navigate = useNavigate();
  const { tache: job } = useSearch({ strict: false });
  const size = useSignal(chosen) ?? (hasSomething ? 'bar' : 'hidden');
  const view = useSignal(viewed);
  const show = useCallback(
    (id: string | undefined) =>
      void navigate({
        to: '.',
        search: atJob(id),
        replace: id === undefined,
        resetScroll: false,
      }),
    [navigate],
  );
  const close = (to: 'bar' | 'hidden') => {
    resizeDock(to);
    if (job !== undefined) show(undefined);
  };
  const see = (wanted: DockView) => {
    openDock(wanted);
    if (wanted === 'consoles' && job !== undefined) show(undefined);
  };
  const isJob = job !== undefined;
  return { size: isJob ? ('open' as const) : size, view: isJob ? ('jobs' as const) : view, job, show, see, close };
}
