import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { FileStore, type Stored } from '@vigie/files/file-store';
import { currentUser } from '@vigie/service-kit/context';
import { FairSlots } from '@vigie/service-kit/fair-slots';
import type { FastifyRequest } from 'fastify';
import { requireSession } from '../auth.guard';
import { SessionCache } from '../session-cache';
import { pacedBody } from './paced-body';
import { openSentFile } from './sent-file';

/** Uploads that are under way: each lasts, and holds a connection and a file open meanwhile. */
const maxAtOnce = 64;

type Place = { key: string; most: number };
type Steps<T> = {
  /** Whether a file of this name and of at most that many bytes may come, and where to. */
  begin: (filename: string, announced: number) => Promise<Place>;
  /** It is in the store. */
  keep: (filename: string, stored: Stored & { key: string }) => Promise<T>;
};

/** Files that somebody sends, into the store as they come. */
@Injectable()
export class FileReceiver {
  private readonly turns = new FairSlots(maxAtOnce);

  constructor(
    private readonly store: FileStore,
    private readonly sessions: SessionCache,
  ) {}

  /** Right and room are asked for before the first byte of the file; what was stored of a refused one is gone. */
  async receive<T>(request: FastifyRequest, steps: Steps<T>): Promise<T> {
    const announced = announcedBy(request);
    const leave = this.turns.take(currentUser().sub);
    if (!leave) throw tooMany();
    const body = pacedBody(request.raw);
    try {
      const { filename, content } = await openSentFile(body, request.headers['content-type'] ?? '');
      const { key, most: max } = await steps.begin(filename, announced);
      const stored = await this.store.write(key, content, max);
      // It may have lasted: who was allowed then may have been logged out since.
      await requireSession(this.sessions, request, { asksEachTime: true }).catch(async (error: unknown) => {
        await this.store.delete(key);
        throw error;
      });
      return await steps.keep(filename, { key, ...stored });
    } finally {
      leave();
      await body.return(undefined);
    }
  }
}

const tooMany = () =>
  new AppError('too_many', 'Trop de fichiers sont envoyés à la fois. Attendez la fin d’un envoi, puis recommencez.', {
    retryAfter: 5,
  });

function announcedBy({ headers }: FastifyRequest): number {
  const length = headers['content-length'];
  if (length === undefined) throw new AppError('invalid', 'Annoncez la longueur de l’envoi (en-tête Content-Length).');
  return Number(length);
}
