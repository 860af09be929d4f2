type TimeoutOptions = { shutdown: AbortSignal; ms: number };

/** Runs work with a signal of its own. `AbortSignal.any` would leak an entry into `shutdown`, which lives on. */
export async function withTimeout<T>(
  { shutdown, ms }: TimeoutOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const stop = () => own.abort();
  const timer = setTimeout(stop, ms);
  shutdown.addEventListener('abort', stop, { once: true });
  if (shutdown.aborted) stop();
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    shutdown.removeEventListener('abort', stop);
  }
}
