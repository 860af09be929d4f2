import { startTransition, useEffect, useState } from 'react';

/** What a first screen has room for. */
const screenful = 20;

/** The lines of a first screen at once, the others right after, in pieces between which the browser hears whoever types. */
export function useInTurn<T>(items: readonly T[]): readonly T[] {
  const [isWhole, setWhole] = useState(false);
  useEffect(() => startTransition(() => setWhole(true)), []);
  return isWhole ? items : items.slice(0, screenful);
}
