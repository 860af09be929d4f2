import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** `margin` rows are rendered on both sides of the screen, and the range moves by `step` rows. */
const margin = 10;
const step = 5;

type VisibleRange = { first: number; last: number; height: number };

/** The first and last row near the screen, both included. */
export function rowsNear(top: number, screen: number, { count, height }: { count: number; height: number }) {
  const from = Math.floor(-top / height) - margin;
  const to = Math.ceil((screen - top) / height) + margin;
  const first = Math.max(0, Math.floor(from / step) * step);
  return { first: Math.min(first, Math.max(0, count - 1)), last: Math.min(count - 1, Math.ceil(to / step) * step) };
}

function measureRow(list: HTMLElement, fallback: number): number {
  const row = list.querySelector('[data-index]');
  const height = row?.getBoundingClientRect().height ?? 0;
  return height > 0 ? height : fallback;
}

/**
 * The rows of a long list that are in the document. The page scrolls, not the list. All rows have one height, which is measured;
 * `defaultHeight` is the first guess. A short list is rendered whole, so that the browser's search finds all of it.
 */
export function useVisibleRows<T extends HTMLElement>(count: number, isLong: boolean, defaultHeight: number) {
  const list: RefObject<T | null> = useRef<T>(null);
  const [range, setRange] = useState<VisibleRange>({ first: 0, last: 3 * margin, height: defaultHeight });
  const update = useEffectEvent(() => {
    if (!list.current || !isLong) return;
    const height = measureRow(list.current, range.height);
    const next = rowsNear(list.current.getBoundingClientRect().top, window.innerHeight, { count, height });
    if (next.first === range.first && next.last === range.last && height === range.height) return;
    setRange({ ...next, height });
  });
  useLayoutEffect(() => update());
  useEffect(() => {
    const onMove = () => update();
    window.addEventListener('scroll', onMove, { passive: true });
    window.addEventListener('resize', onMove, { passive: true });
    return () => {
      window.removeEventListener('scroll', onMove);
      window.removeEventListener('resize', onMove);
    };
  }, []);
  if (!isLong) return { list, first: 0, last: count - 1, height: range.height };
  return {
    list,
    first: Math.min(range.first, Math.max(0, count - 1)),
    last: Math.min(range.last, count - 1),
    height: range.height,
  };
}

type Part = { row: number } | { gap: number; after: number };

/** The rows to render, the focused row even when it is far away, and gaps in place of the others. */
export function splitRows(first: number, last: number, count: number, focusedRow: number | undefined): Part[] {
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  if (focusedRow !== undefined && focusedRow < count && (focusedRow < first || focusedRow > last))
    rows.push(focusedRow);
  const parts: Part[] = [];
  let next = 0;
  for (const row of rows.toSorted((a, b) => a - b)) {
    if (row > next) parts.push({ gap: row - next, after: next });
    parts.push({ row });
    next = row + 1;
  }
  if (next < count) parts.push({ gap: count - next, after: next });
  return parts;
}
