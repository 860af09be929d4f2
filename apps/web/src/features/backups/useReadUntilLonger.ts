import { useEffect, useRef } from 'react';

const maxTries = 10;
const everyMs = 2_000;

type ReadList = () => PromiseLike<{ data?: { length: number } | undefined }>;

/** Reads a list again, up to ten times, until it is longer than before or the component is unmounted. */
export function useReadUntilLonger(read: ReadList): (length: number) => Promise<void> {
  const unmounted = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    unmounted.current = controller;
    return () => controller.abort();
  }, []);
  return async (length) => {
    const { signal } = unmounted.current;
    for (let attempt = 0; attempt < maxTries; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      if (signal.aborted) return;
      const { data } = await read();
      if (data && data.length > length) return;
    }
  };
}
