import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** `margin` rows are rendered on both sides of the screen, and the range moves by `step` rows. */
const margin = 10;
const step = 5;

type Window = { first: number; last: number; height: number };

/** The first and last row near the screen, both included. */
export function near(top: number, screen: number, { count, height }: { count: number; height: number }) {
  const from = Math.floor(-top / height) - margin;
  const to = Math.ceil((screen - top) / height) + margin;
  const first = Math.max(0, Math.floor(from / step) * step);
  return { first: Math.min(first, Math.max(0, count - 1)), last: Math.min(count - 1, Math.ceil(to / step) * step) };
}

function measured(list: HTMLElement, known: number): number {
  const row = list.querySelector('[data-index]');
  const height = row?.getBoundingClientRect().height ?? 0;
  return height > 0 ? height : known;
}

/**
 * The rows of a long list that are in the document. The page scrolls, not the list. All rows have one height, which is measured;
 * `defaults` is the first guess. A short list is rendered whole, so that the browser's search finds all of it.
 */
export function useWindow<T extends HTMLElement>(count: number, isLong: boolean, defaults: number) {
  const list: RefObject<T | null> = useRef<T>(null);
  const [seen, setSeen] = useState<Window>({ first: 0, last: 3 * margin, height: defaults });
  const look = useEffectEvent(() => {
    if (!list.current || !isLong) return;
    const height = measured(list.current, seen.height);
    const next = near(list.current.getBoundingClientRect().top, window.innerHeight, { count, height });
    if (next.first === seen.first && next.last === seen.last && height === seen.height) return;
    setSeen({ ...next, height });
  });
  useLayoutEffect(() => look());
  useEffect(() => {
    const onMove = () => look();
    window.addEventListener('scroll', onMove, { passive: true });
    window.addEventListener('resize', onMove, { passive: true });
    return () => {
      window.removeEventListener('scroll', onMove);
      window.removeEventListener('resize', onMove);
    };
  }, []);
  if (!isLong) return { list, first: 0, last: count - 1, height: seen.height };
  return {
    list,
    first: Math.min(seen.first, Math.max(0, count - 1)),
    last: Math.min(seen.last, count - 1),
    height: seen.height,
  };
}

type Part = { row: number } | { gap: number; after: number };

/** The rows to render, the focused row even when it is far away, and gaps in place of the others. */
export function partsOf(first: number, last: number, count: number, held: number | undefined): Part[] {
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (held !== undefined && held < count && (held < first || held > last)) rows.push(held);
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
