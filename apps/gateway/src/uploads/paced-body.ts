import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@vigie/contracts/errors';

/** An upload may take any time, as long as `minBytes` arrive in each window. */
const windowMs = 15_000;
const minBytes = 64 * 1024;
/** How long a client may go on sending after its answer: cut at once, it might not read it. */
const lingerMs = 5_000;

/** Streams the body of a request. Refuses one that is too slow or breaks off, with the connection open for the answer. */
export async function* pacedBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let received = 0;
  let refuse: (error: Error) => void = () => undefined;
  const timer = setInterval(() => {
    if (received < minBytes) {
      refuse(new AppError('invalid', 'Le fichier arrive trop lentement\u00a0: recommencez l’envoi.'));
    }
    received = 0;
  }, windowMs);
  // Not `Promise.race` with one long-lived promise, which would keep every chunk in memory.
  const next = () =>
    new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      refuse = reject;
      chunks
        .next()
        .then(resolve, (cause: unknown) =>
          reject(new AppError('invalid', 'L’envoi du fichier a été interrompu.', { cause })),
        );
    });
  try {
    for (;;) {
      const { done, value } = await next();
      if (done) return;
      received += value.length;
      yield value;
    }
  } finally {
    clearInterval(timer);
    // Not awaited, since it waits for the next chunk. It makes the stream discard what still arrives.
    void chunks.return?.();
  }
}

/** Discards for a moment what still arrives after the answer. */
export function lingerAfter(response: ServerResponse, request: IncomingMessage): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.socket.destroy(), lingerMs);
    request.once('close', () => clearTimeout(timer));
    request.resume();
  });
}
