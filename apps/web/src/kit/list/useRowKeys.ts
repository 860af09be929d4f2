import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';

const rowOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;

/** The controls that need the arrows and letters for themselves. */
const fields = 'input:not([type=checkbox]), textarea, select, [contenteditable]';

const openRow = (row: HTMLElement): void => row.querySelector<HTMLElement>('[scope=row] :is(a, button)')?.click();

/** Clicks the checkbox as a pointer would, since Shift selects a range. */
function selectRow(row: HTMLElement, isRange: boolean): void {
  const click = new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: isRange });
  row.querySelector('[data-row-checkbox] input')?.dispatchEvent(click);
}

function pressKey(event: KeyboardEvent, move: (row: number) => void): void {
  const { target, shiftKey } = event;
  const element = rowOf(target);
  if (!element || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target instanceof Element && target.closest(fields)) return;
  const row = Number(element.dataset['index']);
  const next = () => move(row + 1);
  const previous = () => move(row - 1);
  const select = () => selectRow(element, shiftKey);
  const action = {
    ArrowDown: next,
    j: next,
    ArrowUp: previous,
    k: previous,
    x: select,
    // Inside a row, Enter and Space belong to the focused control.
    ...(target === element && { Enter: () => openRow(element), ' ': select }),
  }[event.key === 'X' ? 'x' : event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** ↑ and ↓, or k and j, move between rows. Enter opens the focused row, Space and x select it. */
export function useRowKeys(count: number) {
  const [body, setBody] = useState<HTMLElement | null>(null);
  const [active, setActive] = useState(0);
  const [isInside, setInside] = useState(false);
  const isMoving = useRef(false);
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    const row = body?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  }, [active, body]);
  const move = (row: number) => {
    const next = Math.min(Math.max(row, 0), count - 1);
    isMoving.current = next !== active;
    setActive(next);
  };
  return {
    /** The element that holds the rows. */
    body,
    setBody,
    /** The row that Tab reaches. */
    active: Math.min(active, Math.max(0, count - 1)),
    /** The row that must stay in the document, since it has the focus. */
    focusedRow: isInside ? active : undefined,
    keys: {
      onKeyDown: (event: KeyboardEvent) => pressKey(event, move),
      onFocus: ({ target }: { target: EventTarget }) => {
        const element = rowOf(target);
        setInside(element !== null);
        if (element) setActive(Number(element.dataset['index']));
      },
      onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
        if (!(relatedTarget instanceof Node && body?.contains(relatedTarget))) setInside(false);
      },
    },
  };
}

type Keys = ReturnType<typeof useRowKeys>;
export type RowKeys = Omit<Keys, 'setBody'>;
/** What a layout of a list needs for its keys. */
export type ListKeys = { rowKeys: RowKeys } & Pick<Keys, 'setBody'>;
