import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@vigie/contracts/errors';

/** A file may take as long as it takes, as long as it comes: this much in each window. */
const windowMs = 15_000;
const minBytes = 64 * 1024;
/** How long a sender is listened to that has its answer already: cut at once, it might not read it. */
const lingerMs = 5_000;

/** The body of a request as it comes; one that drips or breaks off is refused, with the connection still there to say so. */
export async function* pacedBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let seen = 0;
  let refuse: (error: Error) => void = () => undefined;
  const timer = setInterval(() => {
    if (seen < minBytes) {
      refuse(new AppError('invalid', 'Le fichier arrive trop lentement\u00a0: recommencez l’envoi.'));
    }
    seen = 0;
  }, windowMs);
  // Not a race with one promise that outlives them all: it would keep every chunk.
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
      seen += value.length;
      yield value;
    }
  } finally {
    clearInterval(timer);
    // Not awaited: it waits for the chunk that does not come. Without it, what still comes would not be thrown away.
    void chunks.return?.();
  }
}

/** What still comes after the answer is thrown away, for a moment. */
export function lingerAfter(response: ServerResponse, request: IncomingMessage): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.socket.destroy(), lingerMs);
    request.once('close', () => clearTimeout(timer));
    request.resume();
  });
}
