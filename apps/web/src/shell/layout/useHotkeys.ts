import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { sidebar } from './navigation';
import { openConsoles } from '../dock/dock';
import { focusList } from './focusList';
import { overlay } from './overlays';
import { singleKeys } from './shortcuts';

const goWithinMs = 2000;
const pages = sidebar.flat();

const bindings: Readonly<Record<string, () => void>> = {
  '?': () => overlay.set('shortcuts'),
  c: openConsoles,
};

const isPaletteKey = (event: KeyboardEvent) =>
  (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k';

const isWithin = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null;

/** Single letters are no shortcuts while the user types, in a dialog, or when they are turned off. */
const isReserved = (event: KeyboardEvent) =>
  !singleKeys.get() ||
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  event.isComposing ||
  overlay.get() !== null ||
  isWithin(event.target, 'input, textarea, select, [contenteditable], [role=dialog], [data-terminal]');

function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>('main [data-page-search]');
  field?.focus();
  return field !== null;
}

/** Uses `event.key` and never `code`, so that the letters follow the keyboard layout. */
export function useHotkeys(): void {
  const navigate = useNavigate();
  const goPressedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const goTo = (key: string): boolean => {
      const page = pages.find((candidate) => candidate.key === key);
      if (page) void navigate({ to: page.to });
      return page !== undefined;
    };
    const goToJobs = (): boolean => {
      void navigate({ to: '/tasks' });
      return true;
    };
    const actOn = (event: KeyboardEvent): boolean => {
      const isSecond = event.timeStamp - goPressedAt.current < goWithinMs;
      goPressedAt.current = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (isSecond) return goTo(event.key);
      if (event.key === '/') return focusSearch();
      if (event.key === 't') return goToJobs();
      if (event.key === 'j' || event.key === 'k') return focusList();
      const run = bindings[event.key];
      run?.();
      return run !== undefined;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (isPaletteKey(event) && !isWithin(event.target, '[data-terminal]')) {
        event.preventDefault();
        if (!event.repeat) overlay.set(overlay.get() === 'palette' ? null : 'palette');
      } else if (!isReserved(event) && actOn(event)) {
        event.preventDefault();
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate]);
}
