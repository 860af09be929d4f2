/** The same pieces; ends at once when `signal` fires, also while none comes. */
export async function* untilAborted(content: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  const iterator = content[Symbol.asyncIterator]();
  const next = () =>
    new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      const cut = () => reject(signal.reason);
      signal.addEventListener('abort', cut, { once: true });
      void iterator
        .next()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', cut));
    });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await next();
      if (done) return;
      yield value;
    }
  } finally {
    // One that says nothing does not hear this either.
    const closed = iterator.return?.().catch(() => undefined);
    if (!signal.aborted) await closed;
  }
}
