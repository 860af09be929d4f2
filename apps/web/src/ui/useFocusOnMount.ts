import { type RefObject, useEffect, useRef } from 'react';

/** What took the place of something else has the focus that it had. */
export function useFocusOnMount<T extends HTMLElement>(isWanted = true): RefObject<T | null> {
  const target = useRef<T>(null);
  const wants = useRef(isWanted);
  useEffect(() => {
    if (wants.current) target.current?.focus();
  }, []);
  return target;
}
