import { type RefObject, useEffect, useRef } from 'react';

/** Focuses an element that replaces a focused one. */
export function useFocusOnMount<T extends HTMLElement>(isWanted = true): RefObject<T | null> {
  const target = useRef<T>(null);
  const wants = useRef(isWanted);
  useEffect(() => {
    if (wants.current) target.current?.focus();
  }, []);
  return target;
}
