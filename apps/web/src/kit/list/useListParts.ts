import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import type { RowKeys } from './useRowKeys';
import { useEffect, useEffectEvent, useLayoutEffect, useState, startTransition } from 'react';
import { useElementScrollRestoration, useLocation } from '@tanstack/react-router';

/** Rows that fit on a first screen. */
const screenful = 20;

/** Renders the rows of a first screen at once and the others in a transition, so that typing stays fluid. */
function useProgressiveList<T>(items: readonly T[]): readonly T[] {
  const savedScroll = useElementScrollRestoration({ getElement: () => window });
  const hash = useLocation({ select: (location) => location.hash });
  // Scroll restoration, and the scroll to a section below, need the whole list on the first render.
  const [isWhole, setWhole] = useState(hash !== '' || (savedScroll !== undefined && savedScroll.scrollY > 0));
  useEffect(() => startTransition(() => setWhole(true)), []);
  return isWhole ? items : items.slice(0, screenful);
}

export type LongList = {
  /**
   * Whether rows far from the screen are left out. A short list is whole, so that the browser's search finds all of it. A row
   * of a long list keeps its element, and so the focus, when its data arrive.
   */
  isLong: boolean;
  /** The index of the first row in the whole list, and the length of that list. */
  start: number;
  total: number;
  /** Called with the first and last row near the screen, both included, and the focused one. */
  onRange: (first: number, last: number, focusedRow: number | undefined) => void;
};

type Rows = Pick<RowKeys, 'body' | 'focusedRow'>;

/** Rows rendered beyond each edge of the screen. */
const overscan = 10;
/** In pixels, until a row is measured. */
const firstGuess = 44;

function useWindowRows(count: number, { isLong, onRange }: LongList, { body, focusedRow }: Rows) {
  const [{ top, height }, setLayout] = useState({ top: 0, height: firstGuess });
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: isLong,
    overscan,
    scrollMargin: top,
    estimateSize: () => height,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range);
      const isElsewhere = focusedRow !== undefined && focusedRow < count && !rows.includes(focusedRow);
      return isElsewhere ? [...rows, focusedRow].toSorted((a, b) => a - b) : rows;
    },
    useFlushSync: false,
  });
  const measure = useEffectEvent(() => {
    if (!body || !isLong) return;
    const next = {
      top: Math.round(body.getBoundingClientRect().top + window.scrollY),
      height: body.querySelector('[data-index]')?.getBoundingClientRect().height || height,
    };
    if (next.top !== top || next.height !== height) setLayout(next);
  });
  // The page scrolls, not the list, and what is above the list may grow. All rows have one height.
  useLayoutEffect(() => measure());
  useLayoutEffect(() => {
    if (isLong) virtualizer.measure();
  }, [virtualizer, isLong, height]);
  const items = virtualizer.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const first = Math.max(0, startIndex - overscan);
  const last = Math.min(count - 1, endIndex + overscan);
  const report = useEffectEvent(onRange);
  useEffect(() => {
    if (isLong) report(first, last, focusedRow);
  }, [isLong, first, last, focusedRow]);
  return { items, top, end: top + virtualizer.getTotalSize() };
}

/** A row to render, or a gap of as many pixels in place of the rows that are left out. */
export type ListPart<T> = { row: T; index: number } | { gap: number; index: number };

const noList: LongList = {
  isLong: false,
  start: 0,
  total: 0,
  onRange: () => undefined,
};

/** The rows to render: of a long list those near the screen, and of any other the first ones at once and the rest soon. */
export function useListParts<T>(rows: readonly T[], long: LongList | undefined, rowKeys: Rows): ListPart<T>[] {
  const { items, top, end } = useWindowRows(rows.length, long ?? noList, rowKeys);
  const orderedRows = useProgressiveList(rows);
  if (!long?.isLong) return orderedRows.map((row, index) => ({ row, index }));
  const parts: ListPart<T>[] = [];
  let reached = top;
  for (const { index, start, end: rowEnd } of items) {
    const row = rows[index];
    if (row === undefined) continue;
    if (start > reached) parts.push({ gap: start - reached, index });
    parts.push({ row, index });
    reached = rowEnd;
  }
  if (end > reached) parts.push({ gap: end - reached, index: rows.length });
  return parts;
}
