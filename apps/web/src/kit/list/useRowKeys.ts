import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';

const rowOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;

type Options = { count: number; onOpen: (row: number) => void; onToggle: (row: number, isRange: boolean) => void };

type RowActions = Omit<Options, 'count'> & { move: (row: number) => void };

function pressKey(event: KeyboardEvent, { move, onOpen, onToggle }: RowActions): void {
  const element = rowOf(event.target);
  if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
  const [row, isOnRow] = [Number(element.dataset['index']), event.target === element];
  const action = {
    ArrowDown: () => move(row + 1),
    ArrowUp: () => move(row - 1),
    x: () => onToggle(row, event.shiftKey),
    // Inside a row, Enter and Space belong to the focused control.
    ...(isOnRow && { Enter: () => onOpen(row), ' ': () => onToggle(row, event.shiftKey) }),
  }[event.key === 'X' ? 'x' : event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** ↑ and ↓ move between rows, Enter opens the focused row, Space and x select it. */
export function useRowKeys(list: HTMLElement | null, { count, onOpen, onToggle }: Options) {
  const [active, setActive] = useState(0);
  const [isInside, setInside] = useState(false);
  const isMoving = useRef(false);
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    const row = list?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  }, [active, list]);
  const move = (row: number) => {
    const next = Math.min(Math.max(row, 0), count - 1);
    isMoving.current = next !== active;
    setActive(next);
  };
  return {
    active: Math.min(active, Math.max(0, count - 1)),
    /** The row that must stay in the document, since it has the focus. */
    focusedRow: isInside ? active : undefined,
    keys: {
      onKeyDown: (event: KeyboardEvent) => pressKey(event, { move, onOpen, onToggle }),
      onFocus: ({ target }: { target: EventTarget }) => {
        const element = rowOf(target);
        setInside(element !== null);
        if (element) setActive(Number(element.dataset['index']));
      },
      onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
        if (!(relatedTarget instanceof Node && list?.contains(relatedTarget))) setInside(false);
      },
    },
  };
}
