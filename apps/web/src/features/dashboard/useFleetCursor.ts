import { useNavigate } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { FleetSite } from './fleet';
import { cellAt, type Layout, moveFrom } from './fleet-layout';

/** In pixels: a finger is not exact. */
const touchTolerance = 12;

function placeOf({ currentTarget, clientX, clientY }: MouseEvent): [x: number, y: number] {
  const { left, top } = currentTarget.getBoundingClientRect();
  return [clientX - left, clientY - top];
}

type State = {
  at: number;
  id: string;
  isShown: boolean;
  /** By a key: screen readers read the cell, since the focus stays on the link. */
  isMoved: boolean;
};

/** A refresh may move the site under the cursor elsewhere. */
const findAgain = (sites: readonly FleetSite[], { at, id }: State) =>
  sites[at]?.id === id
    ? at
    : Math.max(
        0,
        sites.findIndex((site) => site.id === id),
      );

/** Keeps the link in sight while keys move it. */
function useScrollTo(link: RefObject<HTMLElement | null>, movedTo: number | undefined): void {
  useEffect(() => {
    if (movedTo !== undefined) link.current?.scrollIntoView({ block: 'nearest' });
  }, [link, movedTo]);
}

/**
 * One link stands over the cell that the pointer or the keys have reached, so that it opens the site as any link does. A
 * finger reaches a cell with one tap, and opens it with the next.
 */
export function useFleetCursor(sites: readonly FleetSite[], layout: Layout) {
  const [state, setState] = useState<State>({ at: 0, id: '', isShown: false, isMoved: false });
  const link = useRef<HTMLAnchorElement>(null);
  const navigate = useNavigate();
  const { isShown, isMoved } = state;
  const at = findAgain(sites, state);
  const goTo = (next: number, hasMoved = false) =>
    setState({ at: next, id: sites[next]?.id ?? '', isShown: true, isMoved: hasMoved });
  const show = (shown: boolean) => setState((previous) => ({ ...previous, isShown: shown, isMoved: false }));
  useScrollTo(link, isMoved ? at : undefined);
  const pictureProps = {
    onPointerMove: (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') return;
      const next = cellAt(layout, ...placeOf(event), 1);
      if (next === undefined) show(false);
      else if (next !== at || !isShown) goTo(next);
    },
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && show(false),
    onClick: (event: MouseEvent) => {
      if (event.target === link.current) return;
      const next = cellAt(layout, ...placeOf(event), touchTolerance);
      if (next === undefined) show(false);
      else if (next !== at || !isShown) goTo(next);
      else void navigate({ to: '/sites/$siteId', params: { siteId: sites[next]?.id ?? '' } });
    },
  };
  const linkProps = {
    ref: link,
    onFocus: () => show(true),
    onBlur: () => show(false),
    onKeyDown: (event: KeyboardEvent) => {
      const next = moveFrom(layout, at, event.key);
      if (next === undefined) return;
      event.preventDefault();
      goTo(next, true);
    },
  };
  return { at, isShown, isMoved, pictureProps, linkProps };
}

export type FleetCursor = ReturnType<typeof useFleetCursor>;
