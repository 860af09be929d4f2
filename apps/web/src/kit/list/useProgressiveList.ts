import { useElementScrollRestoration, useLocation } from '@tanstack/react-router';
import { startTransition, useEffect, useState } from 'react';

/** Rows that fit on a first screen. */
const screenful = 20;

/** Renders the rows of a first screen at once and the others in a transition, so that typing stays fluid. */
export function useProgressiveList<T>(items: readonly T[]): readonly T[] {
  const savedScroll = useElementScrollRestoration({ getElement: () => window });
  const hash = useLocation({ select: (location) => location.hash });
  // Scroll restoration, and the scroll to a section below, need the whole list on the first render.
  const [isWhole, setWhole] = useState(hash !== '' || (savedScroll !== undefined && savedScroll.scrollY > 0));
  useEffect(() => startTransition(() => setWhole(true)), []);
  return isWhole ? items : items.slice(0, screenful);
}
