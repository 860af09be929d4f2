type Bounds = { over: AbortSignal; ms: number };

/** Work with a signal of its own. `AbortSignal.any` would leave an entry with `over`, which lives as long as we do. */
export async function bounded<T>({ over, ms }: Bounds, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const stop = () => own.abort();
  const timer = setTimeout(stop, ms);
  over.addEventListener('abort', stop, { once: true });
  if (over.aborted) stop();
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    over.removeEventListener('abort', stop);
  }
}
