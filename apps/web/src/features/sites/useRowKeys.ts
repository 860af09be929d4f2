import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';

const rowOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;

type Options = { count: number; onOpen: (row: number) => void; onToggle: (row: number, isRange: boolean) => void };

/** ↑ and ↓ go from row to row, Enter opens the one that has the focus, the space bar and x choose it. */
export function useRowKeys<T extends HTMLElement>(list: RefObject<T | null>, { count, onOpen, onToggle }: Options) {
  const [active, setActive] = useState(0);
  const [isInside, setInside] = useState(false);
  const isMoving = useRef(false);
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  }, [active, list]);
  const move = (row: number) => {
    const next = Math.min(Math.max(row, 0), count - 1);
    isMoving.current = next !== active;
    setActive(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const element = rowOf(event.target);
    if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, isOnRow] = [Number(element.dataset['index']), event.target === element];
    const deed = {
      ArrowDown: () => move(row + 1),
      ArrowUp: () => move(row - 1),
      x: () => onToggle(row, event.shiftKey),
      // Elsewhere in the row these are of what has the focus.
      ...(isOnRow && { Enter: () => onOpen(row), ' ': () => onToggle(row, event.shiftKey) }),
    }[event.key === 'X' ? 'x' : event.key];
    if (!deed) return;
    event.preventDefault();
    deed();
  };
  return {
    active: Math.min(active, Math.max(0, count - 1)),
    /** The row that must stay in the document, since the focus is in it. */
    held: isInside ? active : undefined,
    keys: {
      onKeyDown,
      onFocus: ({ target }: { target: EventTarget }) => {
        const element = rowOf(target);
        setInside(element !== null);
        if (element) setActive(Number(element.dataset['index']));
      },
      onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
        if (!(relatedTarget instanceof Node && list.current?.contains(relatedTarget))) setInside(false);
      },
    },
  };
}
