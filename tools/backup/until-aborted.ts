/** Passes the pieces on until `signal` fires, even while it waits for the next one. */
export async function* untilAborted(content: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  const iterator = content[Symbol.asyncIterator]();
  const next = () =>
    new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      void iterator
        .next()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', onAbort));
    });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await next();
      if (done) return;
      yield value;
    }
  } finally {
    // A source that hangs would not answer `return` either, so an aborted reader does not wait for it.
    const closed = iterator.return?.().catch(() => undefined);
    if (!signal.aborted) await closed;
  }
}
