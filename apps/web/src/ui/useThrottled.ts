import { useEffect, useRef, useState } from 'react';

/** Limits how often a value changes, so that a screen reader does not read every step. */
export function useThrottled<T>(value: T, everyMs: number): T {
  const [throttled, setThrottled] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    const waitMs = Math.max(0, changedAt.current + everyMs - performance.now());
    const timer = setTimeout(() => {
      changedAt.current = performance.now();
      setThrottled(value);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [value, everyMs]);
  return throttled;
}
