import { useElementScrollRestoration } from '@tanstack/react-router';
import { startTransition, useEffect, useState } from 'react';

/** What a first screen has room for. */
const screenful = 20;

/** The lines of a first screen at once, the others right after, in pieces between which the browser hears whoever types. */
export function useInTurn<T>(items: readonly T[]): readonly T[] {
  const left = useElementScrollRestoration({ getElement: () => window });
  // Whoever comes back is taken to where they were as soon as there is a list: that has to be as long as it was.
  const [isWhole, setWhole] = useState(left !== undefined && left.scrollY > 0);
  useEffect(() => startTransition(() => setWhole(true)), []);
  return isWhole ? items : items.slice(0, screenful);
}
