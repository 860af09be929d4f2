import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';

const rowsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-row]')];

const moves: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index, last) => Math.min(last, index + 1),
  ArrowUp: (index) => Math.max(0, index - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/** Roving tabindex: Tab reaches one row, and the arrow keys move between rows. A row that disappears passes the focus on. */
export function useRovingFocus(ids: readonly string[]) {
  const [focusedId, setFocusedId] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const hasFocus = useRef(false);
  const current = focusedId !== undefined && ids.includes(focusedId) ? focusedId : ids[0];
  useLayoutEffect(() => {
    if (!hasFocus.current || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus({ preventScroll: true });
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const rows = rowsOf(event.currentTarget);
    const index = rows.findIndex((row) => row === event.target);
    const move = moves[event.key];
    if (index < 0 || !move) return;
    rows[move(index, rows.length - 1)]?.focus();
    event.preventDefault();
  };
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    hasFocus.current = true;
    const id = target.closest<HTMLElement>('[data-state]')?.querySelector<HTMLElement>('[data-row]')?.dataset['row'];
    if (id !== undefined) setFocusedId(id);
  };
  const onBlur = () => {
    hasFocus.current = false;
  };
  return { current, list: { ref: list, onKeyDown, onFocus, onBlur } };
}
