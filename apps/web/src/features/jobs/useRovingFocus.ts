import { type FocusEvent, type KeyboardEvent, useState } from 'react';

type Current = { id: string; top: string };

const rowsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-row]')];

const moves: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index, last) => Math.min(last, index + 1),
  ArrowUp: (index) => Math.max(0, index - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/** Roving tabindex: Tab reaches one row, and the arrow keys move between rows. */
export function useRovingFocus(ids: readonly string[], openId: string | undefined) {
  const [current, setCurrent] = useState<Current | undefined>(
    openId === undefined ? openId : { id: openId, top: openId },
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const rows = rowsOf(event.currentTarget);
    const index = rows.findIndex((row) => row === event.target);
    if (index < 0) return;
    const toggle = rows[index]?.parentElement?.querySelector<HTMLElement>('[aria-expanded]');
    const toggledState = { ArrowRight: 'false', ArrowLeft: 'true' }[event.key];
    const move = moves[event.key];
    if (toggle && toggle.getAttribute('aria-expanded') === toggledState) toggle.click();
    else if (move) rows[move(index, rows.length - 1)]?.focus();
    else return;
    event.preventDefault();
  };
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const id = target.dataset['row'];
    const top = target.closest<HTMLElement>('[data-batch]')?.dataset['batch'] ?? id;
    if (id !== undefined && top !== undefined) setCurrent({ id, top });
  };
  // The current row may have left the list.
  const isListed = current !== undefined && ids.includes(current.top);
  return { current: isListed ? current.id : ids[0], onKeyDown, onFocus };
}
