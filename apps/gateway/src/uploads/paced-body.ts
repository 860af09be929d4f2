import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@vigie/contracts/errors';

/** A file may take as long as it takes, as long as it comes: this much in each window. */
const windowMs = 15_000;
const leastBytes = 16 * 1024;
/** How long a sender is listened to that has its answer already: cut at once, it might not read it. */
const lingerMs = 5_000;

/** The body of a request as it comes; one that drips or breaks off is refused, with the connection still there to say so. */
export async function* pacedBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let seen = 0;
  let refuse: (error: Error) => void = () => undefined;
  const tooSlow = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  tooSlow.catch(() => undefined);
  const timer = setInterval(() => {
    if (seen < leastBytes)
      refuse(new AppError('invalid', 'Le fichier arrive trop lentement\u00a0: recommencez l’envoi.'));
    seen = 0;
  }, windowMs);
  try {
    for (;;) {
      const { done, value } = await Promise.race([chunks.next().catch(refuseCut), tooSlow]);
      if (done) return;
      seen += value.length;
      yield value;
    }
  } finally {
    clearInterval(timer);
  }
}

function refuseCut(cause: unknown): never {
  throw new AppError('invalid', 'L’envoi du fichier a été interrompu.', { cause });
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
