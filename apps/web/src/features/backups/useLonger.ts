import { useEffect, useRef } from 'react';

const tries = 10;
const everyMs = 2_000;

type Read = () => PromiseLike<{ data?: { length: number } | undefined }>;

/** Reads a list again, up to ten times, until it is longer than before or the component is unmounted. */
export function useLonger(read: Read): (than: number) => Promise<void> {
  const left = useRef(new AbortController());
  useEffect(() => {
    const watching = new AbortController();
    left.current = watching;
    return () => watching.abort();
  }, []);
  return async (than) => {
    const { signal } = left.current;
    for (let at = 0; at < tries; at += 1) {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      if (signal.aborted) return;
      const { data } = await read();
      if (data && data.length > than) return;
    }
  };
}
