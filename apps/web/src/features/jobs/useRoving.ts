import { type FocusEvent, type KeyboardEvent, useState } from 'react';

type Current = { id: string; top: string };

const rowsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-row]')];

const moves: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/** Roving tabindex: Tab reaches one row, and the arrow keys move between rows. */
export function useRoving(ids: readonly string[], shown: string | undefined) {
  const [current, setCurrent] = useState<Current | undefined>(shown === undefined ? shown : { id: shown, top: shown });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const rows = rowsOf(event.currentTarget);
    const at = rows.findIndex((row) => row === event.target);
    if (at < 0) return;
    const toggle = rows[at]?.parentElement?.querySelector<HTMLElement>('[aria-expanded]');
    const isWanted = { ArrowRight: 'false', ArrowLeft: 'true' }[event.key];
    const move = moves[event.key];
    if (toggle && toggle.getAttribute('aria-expanded') === isWanted) toggle.click();
    else if (move) rows[move(at, rows.length - 1)]?.focus();
    else return;
    event.preventDefault();
  };
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const id = target.dataset['row'];
    const top = target.closest<HTMLElement>('[data-batch]')?.dataset['batch'] ?? id;
    if (id !== undefined && top !== undefined) setCurrent({ id, top });
  };
  // The current row may have left the list.
  const isThere = current !== undefined && ids.includes(current.top);
  return { current: isThere ? current.id : ids[0], onKeyDown, onFocus };
}
